package dev.ketch.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import dev.ketch.extprot.Extprot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.msgpack.jackson.dataformat.MessagePackFactory;

/** Compares extprot without a schema to other binary formats, on the values of YAML files. */
final class Binary {
    private Binary() {}

    private enum Format {
        EXTPROT("Extprot") {
            @Override
            byte[] dump(Object value) {
                return Extprot.dump(value);
            }

            @Override
            Object load(byte[] bytes) {
                return Extprot.load(bytes);
            }
        },
        MESSAGE_PACK("MessagePack by Jackson") {
            private final ObjectMapper mapper = new ObjectMapper(new MessagePackFactory());

            @Override
            ObjectMapper mapper() {
                return mapper;
            }
        },
        CBOR("CBOR by Jackson") {
            private final ObjectMapper mapper = new ObjectMapper(new CBORFactory());

            @Override
            ObjectMapper mapper() {
                return mapper;
            }
        },
        PROTOBUF("protobuf's Value") {
            @Override
            byte[] dump(Object value) {
                return ProtobufStruct.dump(value);
            }

            @Override
            Object load(byte[] bytes) throws IOException {
                return ProtobufStruct.load(bytes);
            }
        },
        SERIALIZATION("Java serialization") {
            @Override
            byte[] dump(Object value) throws IOException {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                    out.writeObject(value);
                }
                return bytes.toByteArray();
            }

            @Override
            Object load(byte[] bytes) throws IOException {
                try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
                    return in.readObject();
                } catch (ClassNotFoundException impossible) {
                    throw new IOException(impossible);
                }
            }
        };

        private final String title;

        Format(String title) {
            this.title = title;
        }

        /** Returns the mapper of a format that Jackson reads and writes. */
        ObjectMapper mapper() {
            throw new UnsupportedOperationException(title);
        }

        byte[] dump(Object value) throws IOException {
            return mapper().writeValueAsBytes(value);
        }

        Object load(byte[] bytes) throws IOException {
            return mapper().readValue(bytes, Object.class);
        }
    }

    static void measure(Path file) throws IOException {
        List<Object> value = Engine.KETCH.load(Files.readAllBytes(file));
        String name = file.getFileName().toString();
        int length = 0;
        Map<String, Race.Call> loading = new LinkedHashMap<>();
        Map<String, Race.Call> dumping = new LinkedHashMap<>();
        for (Format format : Format.values()) {
            try {
                byte[] bytes = format.dump(value);
                if (!Shape.isEqual(value, format.load(bytes))) {
                    throw new IOException("its values differ");
                }
                length = format == Format.EXTPROT ? bytes.length : length;
                Race.note("%s, %s: %,d bytes", name, format.title, bytes.length);
                loading.put(format.title, () -> format.load(bytes));
                dumping.put(format.title, () -> format.dump(value));
            } catch (IOException | RuntimeException error) {
                Race.leaveOut("load and dump", format.title, name, error);
            }
        }
        Race.run("load", name, length, loading);
        Race.run("dump", name, length, dumping);
    }
}
