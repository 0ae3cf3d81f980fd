/** Rows of a database as maps, YAML, JSON and extprot. */
module dev.ketch.rows {
    requires transitive java.sql;
    requires dev.ketch;

    exports dev.ketch.rows;
}
