package dev.ketch.bench;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SequenceWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.ketch.DuplicateKeys;
import dev.ketch.Loader;
import dev.ketch.Options;
import dev.ketch.Schema;
import dev.ketch.Yaml;
import dev.ketch.jackson.KetchYamlFactory;
import dev.ketch.jackson.KetchYamlMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Readers of all documents of a text, as their users call them: from bytes to maps, lists and scalars, or to trees. */
final class Load {
    // Some files of the corpus have duplicate keys, which the other engines also accept.
    private static final Options OPTIONS = Options.builder().duplicateKeys(DuplicateKeys.LAST).build();
    private static final Options YAML11 =
            Options.builder().duplicateKeys(DuplicateKeys.LAST).schema(Schema.YAML11).build();
    private static final Loader LOADER = Yaml.with(OPTIONS);
    private static final Loader LOADER11 = Yaml.with(YAML11);
    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setCodePointLimit(Integer.MAX_VALUE)
            .setMaxAliasesForCollections(Integer.MAX_VALUE)
            .setAllowDuplicateKeys(true)
            .setSchema(new CoreSchema())
            .build();
    private static final ObjectMapper OURS =
            new KetchYamlMapper(KetchYamlFactory.builder().options(OPTIONS).build());
    private static final ObjectMapper THEIRS = new ObjectMapper(YAMLFactory.builder()
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
            .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
            .loaderOptions(snakeOptions())
            .build());
    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build();

    private Load() {}

    /** Reads all documents. */
    private interface Reader {
        List<?> load(byte[] text) throws IOException;
    }

    static void register(Runner runner) {
        add(runner, "yaml.load", "ketch", LOADER::loadAll);
        add(runner, "yaml.load", "snakeyaml-engine", Load::engine);
        add(runner, "yaml.load", "Jackson YAML", text -> all(THEIRS.readerFor(Object.class), text));
        runner.add("yaml.load", "Jackson JSON", text -> {
            byte[] json = json(text);
            ObjectReader reader = JSON.readerFor(Object.class);
            return new Work(() -> all(reader, json));
        });
        runner.add("yaml.load11", "ketch", text -> new Work(() -> LOADER11.loadAll(text)));
        runner.add("yaml.load11", "SnakeYAML", text -> new Work(() -> snake(text)));
        jackson(runner, "ketch", OURS);
        jackson(runner, "Jackson YAML", THEIRS);
    }

    private static void add(Runner runner, String operation, String engine, Reader reader) {
        runner.add(operation, engine, text -> new Work(() -> reader.load(text), Canonical::data));
    }

    private static void jackson(Runner runner, String engine, ObjectMapper mapper) {
        ObjectReader maps = mapper.readerFor(Object.class);
        ObjectReader trees = mapper.readerFor(JsonNode.class);
        add(runner, "jackson.maps", engine, text -> all(maps, text));
        runner.add("jackson.trees", engine, text ->
                new Work(() -> all(trees, text), nodes -> JSON.convertValue(nodes, List.class)));
    }

    /** Returns the values of a text, without tags and with text for keys. */
    static List<?> data(byte[] text) {
        return (List<?>) Canonical.data(LOADER.loadAll(text));
    }

    private static byte[] json(byte[] text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (SequenceWriter writer = JSON.writer().withRootValueSeparator("\n").writeValues(out)) {
            writer.writeAll(data(text));
        }
        return out.toByteArray();
    }

    private static List<Object> engine(byte[] text) {
        List<Object> documents = new ArrayList<>();
        var load = new org.snakeyaml.engine.v2.api.Load(SETTINGS);
        load.loadAllFromInputStream(new ByteArrayInputStream(text)).forEach(documents::add);
        return documents;
    }

    private static List<Object> snake(byte[] text) {
        List<Object> documents = new ArrayList<>();
        var yaml = new org.yaml.snakeyaml.Yaml(new SafeConstructor(snakeOptions()));
        yaml.loadAll(new ByteArrayInputStream(text)).forEach(documents::add);
        return documents;
    }

    private static LoaderOptions snakeOptions() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        options.setMaxAliasesForCollections(Integer.MAX_VALUE);
        options.setAllowDuplicateKeys(true);
        options.setWarnOnDuplicateKeys(false);
        return options;
    }

    /** Reads all documents. {@code readValues} would take a sequence for a list of documents. */
    private static List<Object> all(ObjectReader reader, byte[] text) throws IOException {
        List<Object> documents = new ArrayList<>();
        try (JsonParser parser = reader.createParser(text)) {
            while (parser.nextToken() != null) {
                documents.add(reader.readValue(parser));
            }
        }
        return documents;
    }
}
