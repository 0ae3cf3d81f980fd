package dev.ketch.jackson;

/**
 * The object id of the collection that an alias stands for. Jackson's buffers keep it, so that
 * {@link KetchYamlModule} can tell the copy from a node of its own.
 */
record AliasId(String name) {
    @Override
    public String toString() {
        return name;
    }
}
