/** YAML by the native engine of Ketch, and extprot in pure Java. */
module dev.ketch {
    requires static org.jspecify;

    exports dev.ketch;
    exports dev.ketch.extprot;
}
