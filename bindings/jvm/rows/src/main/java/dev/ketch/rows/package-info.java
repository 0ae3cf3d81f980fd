/**
 * Rows of a database, read by JDBC: as maps that share their keys, or written as YAML, JSON or
 * extprot. {@link dev.ketch.rows.Rows} has the methods.
 */
package dev.ketch.rows;
