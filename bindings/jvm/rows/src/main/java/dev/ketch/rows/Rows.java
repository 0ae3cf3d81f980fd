package dev.ketch.rows;

import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows by JDBC.
 *
 * <pre>{@code
 * for (Map<String, Object> ship : Rows.selectAll(connection, "select * from ships where masts > ?", 1)) {
 *     System.out.println(ship.get("NAME"));
 * }
 * }</pre>
 *
 * <p>A row is a map from the columns' labels to values, in the order of the query. All rows of a
 * query share their labels, so a row takes little more than its values. It cannot be changed;
 * {@code new LinkedHashMap<>(row)} is a copy that can. If a column has the label of one before it,
 * {@code _2}, {@code _3} and so on is appended, and a column without a label is named
 * {@code column_} with its number.
 *
 * <p>Values are Boolean, Integer, Long, {@link java.math.BigInteger}, Double, {@link
 * java.math.BigDecimal} (with all digits), String, {@code byte[]}, {@link java.time.LocalDate},
 * {@link java.time.LocalDateTime}, {@link java.time.OffsetDateTime}, null, and lists of these for
 * arrays. Large objects are read and released. A time of day is its text in ISO 8601, and what
 * else a driver returns is its text.
 *
 * <p>Dates and times are those of the database, whatever the default time zone is, if the driver
 * supports the classes of {@code java.time} (JDBC 4.2).
 *
 * <p>What a method opens, it closes, whether it returns or throws.
 */
public final class Rows {
    /** The number of rows that a driver is asked to fetch at once, unless the statement sets it. */
    private static final int FETCH_ROWS = 1000;

    private Rows() {}

    /** Receives a row. */
    @FunctionalInterface
    public interface Consumer {
        /**
         * Receives a row.
         *
         * @param row the row, which may be kept
         * @throws SQLException to end the query
         */
        void accept(Map<String, @Nullable Object> row) throws SQLException;
    }

    /**
     * Returns the rows of a query.
     *
     * @param connection the connection, which stays open
     * @param sql the query, with a {@code ?} for each parameter
     * @param parameters the parameters; null is NULL, also in place of the array
     * @return a new list
     * @throws SQLException what the driver throws
     */
    public static List<Map<String, @Nullable Object>> selectAll(
            Connection connection, String sql, @Nullable Object @Nullable ... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            return all(rows);
        }
    }

    /**
     * Returns the rows of a query, with each value as the driver's text; NULL is null.
     *
     * @param connection the connection, which stays open
     * @param sql the query, with a {@code ?} for each parameter
     * @param parameters the parameters; null is NULL, also in place of the array
     * @return a new list
     * @throws SQLException what the driver throws
     */
    public static List<Map<String, @Nullable String>> selectAllText(
            Connection connection, String sql, @Nullable Object @Nullable ... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            return allText(rows);
        }
    }

    /**
     * Passes the rows of a query to a consumer, one after another. Memory is bounded if the
     * driver's is: PostgreSQL's fetches all rows at once unless auto-commit is off.
     *
     * @param connection the connection, which stays open
     * @param sql the query, with a {@code ?} for each parameter
     * @param consumer receives the rows
     * @param parameters the parameters; null is NULL, also in place of the array
     * @return the number of rows
     * @throws SQLException what the driver or the consumer throws
     */
    public static long forEach(
            Connection connection, String sql, Consumer consumer, @Nullable Object @Nullable ... parameters)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            Labels labels = Labels.of(rows);
            long count = 0;
            while (rows.next()) {
                consumer.accept(row(rows, labels));
                count++;
            }
            return count;
        }
    }

    /**
     * Returns the remaining rows of a query.
     *
     * @param rows the rows, which are not closed
     * @return a new list
     * @throws SQLException what the driver throws
     */
    public static List<Map<String, @Nullable Object>> all(ResultSet rows) throws SQLException {
        Labels labels = Labels.of(rows);
        List<Map<String, @Nullable Object>> all = new ArrayList<>();
        while (rows.next()) {
            all.add(row(rows, labels));
        }
        return all;
    }

    /**
     * Returns the remaining rows of a query, with each value as the driver's text; NULL is null.
     *
     * @param rows the rows, which are not closed
     * @return a new list
     * @throws SQLException what the driver throws
     */
    public static List<Map<String, @Nullable String>> allText(ResultSet rows) throws SQLException {
        Labels labels = Labels.of(rows);
        int count = labels.names.length;
        List<Map<String, @Nullable String>> all = new ArrayList<>();
        while (rows.next()) {
            @Nullable String[] values = new String[count];
            for (int i = 0; i < count; i++) {
                values[i] = rows.getString(i + 1);
            }
            all.add(new Row<>(labels, values));
        }
        return all;
    }

    private static Row<@Nullable Object> row(ResultSet rows, Labels labels) throws SQLException {
        @Nullable Object[] values = new Object[labels.names.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = Cells.read(rows, labels, i);
        }
        return new Row<>(labels, values);
    }

    /**
     * Writes the remaining rows of a query one at a time, in constant memory if the driver does so.
     * Text is UTF-8.
     *
     * @param rows the rows, which are not closed
     * @param out the stream, which is not closed
     * @param format how to write
     * @return the number of rows
     * @throws SQLException what the driver throws
     * @throws IOException if the stream fails
     * @throws IllegalArgumentException if the format has no form for a value, such as NaN in JSON;
     *     the message has the row and the column
     */
    public static long write(ResultSet rows, OutputStream out, Format format)
            throws SQLException, IOException {
        Objects.requireNonNull(out);
        if (rows.getFetchSize() == 0) {
            rows.setFetchSize(FETCH_ROWS);
        }
        Labels labels = Labels.of(rows);
        long count = 0;
        try (RowWriter writer = RowWriter.of(format, labels, out)) {
            @Nullable Object[] values = new Object[labels.names.length];
            while (rows.next()) {
                count++;
                for (int i = 0; i < values.length; i++) {
                    values[i] = Cells.read(rows, labels, i);
                }
                writer.row(values, count);
            }
            writer.end();
        }
        return count;
    }

    private static PreparedStatement prepare(
            Connection connection, String sql, @Nullable Object @Nullable [] parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(
                sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
        boolean isReady = false;
        try {
            statement.setFetchSize(FETCH_ROWS);
            // The compiler passes a single null as the array.
            @Nullable Object[] values = parameters == null ? new Object[1] : parameters;
            for (int i = 0; i < values.length; i++) {
                set(statement, i + 1, Cells.parameter(values[i]));
            }
            isReady = true;
        } finally {
            if (!isReady) {
                closeQuietly(statement);
            }
        }
        return statement;
    }

    private static void set(PreparedStatement statement, int place, @Nullable Object value)
            throws SQLException {
        if (value == null) {
            statement.setNull(place, Types.NULL);
        } else {
            statement.setObject(place, value);
        }
    }

    /** Closes a resource after another exception, which is the one to throw. */
    private static void closeQuietly(Statement statement) {
        try {
            statement.close();
        } catch (SQLException second) {
            // The first exception has the cause.
        }
    }
}
