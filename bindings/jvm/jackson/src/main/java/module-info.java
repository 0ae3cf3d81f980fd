/** YAML for Jackson, with the engine of Ketch. */
module dev.ketch.jackson {
    requires transitive dev.ketch;
    requires transitive com.fasterxml.jackson.databind;
    requires static org.jspecify;

    exports dev.ketch.jackson;

    provides com.fasterxml.jackson.core.JsonFactory with dev.ketch.jackson.KetchYamlFactory;
    provides com.fasterxml.jackson.core.ObjectCodec with dev.ketch.jackson.KetchYamlMapper;
}
