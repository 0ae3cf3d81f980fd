package dev.ketch.bench;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.ketch.DuplicateKeys;
import dev.ketch.Loader;
import dev.ketch.Options;
import dev.ketch.Yaml;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** A reader of documents, as its users call it: from bytes to maps, lists and scalars. */
enum Engine {
    KETCH("Yaml.loadAll") {
        // Some files of the corpus have duplicate keys, which the other engines also accept.
        private final Loader loader =
                Yaml.with(Options.builder().duplicateKeys(DuplicateKeys.LAST).build());

        @Override
        List<Object> load(byte[] text) {
            return loader.loadAll(text);
        }
    },
    SNAKEYAML("SnakeYAML") {
        private final LoaderOptions options = options();

        @Override
        List<Object> load(byte[] text) {
            List<Object> documents = new ArrayList<>();
            var yaml = new org.yaml.snakeyaml.Yaml(new SafeConstructor(options));
            yaml.loadAll(new ByteArrayInputStream(text)).forEach(documents::add);
            return documents;
        }
    },
    SNAKEYAML_ENGINE("snakeyaml-engine") {
        private final LoadSettings settings =
                LoadSettings.builder()
                        .setCodePointLimit(Integer.MAX_VALUE)
                        .setMaxAliasesForCollections(Integer.MAX_VALUE)
                        .setAllowDuplicateKeys(true)
                        .build();

        @Override
        List<Object> load(byte[] text) {
            List<Object> documents = new ArrayList<>();
            Load load = new Load(settings);
            load.loadAllFromInputStream(new ByteArrayInputStream(text)).forEach(documents::add);
            return documents;
        }
    },
    JACKSON_YAML("Jackson YAML") {
        private final ObjectReader reader =
                new ObjectMapper(YAMLFactory.builder().loaderOptions(options()).build())
                        .readerFor(Object.class);

        @Override
        List<Object> load(byte[] text) throws IOException {
            return all(reader, text);
        }
    },
    JACKSON_JSON("Jackson JSON") {
        private final ObjectReader reader = JsonMapper.builder().build().readerFor(Object.class);

        @Override
        List<Object> load(byte[] text) throws IOException {
            return all(reader, text);
        }
    };

    final String title;

    Engine(String title) {
        this.title = title;
    }

    /** Loads the values of all documents. */
    abstract List<Object> load(byte[] text) throws IOException;

    static LoaderOptions options() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        options.setMaxAliasesForCollections(Integer.MAX_VALUE);
        options.setAllowDuplicateKeys(true);
        options.setWarnOnDuplicateKeys(false);
        return options;
    }

    /** Reads all documents. {@code readValues} would take a sequence for a list of documents. */
    static List<Object> all(ObjectReader reader, byte[] text) throws IOException {
        List<Object> documents = new ArrayList<>();
        try (JsonParser parser = reader.createParser(text)) {
            while (parser.nextToken() != null) {
                documents.add(reader.readValue(parser));
            }
        }
        return documents;
    }
}
