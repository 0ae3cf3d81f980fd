/** Rows of a database as maps, YAML, JSON and extprot. */
module dev.ketch.rows {
    requires transitive java.sql;
    requires dev.ketch;
    requires static org.jspecify;

    exports dev.ketch.rows;
}
