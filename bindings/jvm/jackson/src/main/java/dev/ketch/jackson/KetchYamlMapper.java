package dev.ketch.jackson;

import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.MapperBuilder;

/**
 * Reads and writes classes as YAML.
 *
 * <pre>{@code
 * record Ship(String name, int masts) {}
 *
 * KetchYamlMapper mapper = new KetchYamlMapper();
 * Ship ship = mapper.readValue("name: Ariel\nmasts: 2\n", Ship.class);
 * mapper.writeValueAsString(ship); // "name: Ariel\nmasts: 2\n"
 * }</pre>
 */
public class KetchYamlMapper extends ObjectMapper {
    private static final long serialVersionUID = 1;

    /** Creates a mapper with the defaults. */
    public KetchYamlMapper() {
        this(new KetchYamlFactory());
    }

    /**
     * Creates a mapper with options.
     *
     * @param factory the factory
     */
    @SuppressWarnings("this-escape") // registering needs nothing from subclasses
    public KetchYamlMapper(KetchYamlFactory factory) {
        super(factory);
        registerModule(new KetchYamlModule());
    }

    private KetchYamlMapper(KetchYamlMapper source) {
        super(source);
    }

    /**
     * Creates a builder with the defaults.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder(new KetchYamlMapper());
    }

    /**
     * Creates a builder with options.
     *
     * @param factory the factory
     * @return the builder
     */
    public static Builder builder(KetchYamlFactory factory) {
        return new Builder(new KetchYamlMapper(factory));
    }

    /** Builds a {@link KetchYamlMapper}. */
    public static class Builder extends MapperBuilder<KetchYamlMapper, Builder> {
        private Builder(KetchYamlMapper mapper) {
            super(mapper);
        }
    }

    @Override
    public KetchYamlMapper copy() {
        _checkInvalidCopy(KetchYamlMapper.class);
        return new KetchYamlMapper(this);
    }

    @Override
    public Version version() {
        return KetchYamlFactory.VERSION;
    }

    @Override
    public KetchYamlFactory getFactory() {
        return (KetchYamlFactory) _jsonFactory;
    }
}
