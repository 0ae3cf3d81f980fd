/** YAML by the native engine of Ketch. */
module dev.ketch {
    exports dev.ketch;
}
