/**
 * Rows of a database, read by JDBC: as maps that share their keys, or written as YAML, JSON or
 * extprot. {@link dev.ketch.rows.Rows} has the methods.
 */
@NullMarked
package dev.ketch.rows;

import org.jspecify.annotations.NullMarked;
