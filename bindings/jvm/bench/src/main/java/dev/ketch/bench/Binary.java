package dev.ketch.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import dev.ketch.extprot.Extprot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.msgpack.jackson.dataformat.MessagePackFactory;

/** Writes and reads the values of YAML files in binary formats, without a schema. */
final class Binary {
    private Binary() {}

    private interface Writer {
        byte[] dump(Object value) throws IOException;
    }

    private interface Reader {
        Object load(byte[] bytes) throws Exception;
    }

    static void register(Runner runner) {
        add(runner, "ketch", Extprot::dump, Extprot::load, value -> value);
        jackson(runner, "MessagePack", new ObjectMapper(new MessagePackFactory()));
        jackson(runner, "CBOR", new ObjectMapper(new CBORFactory()));
        add(runner, "protobuf", ProtobufStruct::dump, ProtobufStruct::load, ProtobufStruct::whole);
        add(runner, "Java serialization", Binary::serialize, Binary::deserialize, value -> value);
    }

    private static void jackson(Runner runner, String engine, ObjectMapper mapper) {
        add(runner, engine, mapper::writeValueAsBytes, bytes -> mapper.readValue(bytes, Object.class), value -> value);
    }

    private static void add(Runner runner, String engine, Writer writer, Reader reader, Work.Reduction reduction) {
        runner.add("extprot.load", engine, text -> {
            byte[] bytes = writer.dump(Load.data(text));
            return new Work(() -> reader.load(bytes), reduction);
        });
        runner.add("extprot.dump", engine, text -> {
            Object value = Load.data(text);
            return new Work(() -> writer.dump(value), bytes -> reduction.apply(reader.load((byte[]) bytes)));
        });
    }

    private static byte[] serialize(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    private static Object deserialize(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }
}
