package dev.ketch.rows;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;

/**
 * The columns of dates and times, and the classes that they are read as.
 *
 * <p>{@code java.sql.Date}, {@code Time} and {@code Timestamp} depend on the default time zone and
 * on the Julian calendar: they have no times in a gap of the zone, and other days before 1582. The
 * driver is therefore asked for classes of {@code java.time}. If it has none, the column is read as
 * those of {@code java.sql}.
 */
final class Temporals {
    /** The class of each column; null for those that are read as the driver's objects. */
    final Class<?>[] classes;
    /** Whether the driver has returned a value of the class. */
    private final boolean[] areSupported;

    Temporals(ResultSetMetaData columns, int count) throws SQLException {
        classes = new Class<?>[count];
        areSupported = new boolean[count];
        for (int i = 0; i < count; i++) {
            classes[i] = temporal(columns, i + 1);
            // Without the class, the zone would be lost.
            areSupported[i] = classes[i] == OffsetDateTime.class;
        }
    }

    private static Class<?> temporal(ResultSetMetaData columns, int column) throws SQLException {
        int type = columns.getColumnType(column);
        Class<?> temporal = switch (type) {
            case Types.DATE -> LocalDate.class;
            case Types.TIME -> isNamed(columns, column, "timetz") ? OffsetTime.class : LocalTime.class;
            case Types.TIMESTAMP -> isNamed(columns, column, "timestamptz")
                    ? OffsetDateTime.class : LocalDateTime.class;
            case Types.TIME_WITH_TIMEZONE -> OffsetTime.class;
            case Types.TIMESTAMP_WITH_TIMEZONE -> OffsetDateTime.class;
            default -> null;
        };
        boolean isOwn = temporal == null || temporal == OffsetDateTime.class || hasTemporals(columns, column);
        return isOwn ? temporal : null;
    }

    /** PostgreSQL's driver reports TIME and TIMESTAMP even with a time zone. */
    private static boolean isNamed(ResultSetMetaData columns, int column, String name)
            throws SQLException {
        return name.equalsIgnoreCase(columns.getColumnTypeName(column));
    }

    /**
     * Returns whether the values of a column are dates or times. In SQLite, they are text or numbers,
     * whatever the column's type is.
     */
    private static boolean hasTemporals(ResultSetMetaData columns, int column) throws SQLException {
        try {
            String name = columns.getColumnClassName(column);
            return name != null && !name.startsWith("java.lang.");
        } catch (SQLFeatureNotSupportedException unknown) {
            return false;
        }
    }

    /** Returns the value of a column of the current row: an object of {@code java.time}, if possible. */
    Object read(ResultSet rows, int place) throws SQLException {
        try {
            Object value = rows.getObject(place + 1, classes[place]);
            areSupported[place] |= value != null;
            return value;
        } catch (SQLException | RuntimeException | AbstractMethodError failure) {
            if (areSupported[place] || isTransient(failure)) {
                throw failure;
            }
            return readUnsupported(rows, place, failure);
        }
    }

    /** Reads the value as the driver's own object, and all later ones, too. */
    private Object readUnsupported(ResultSet rows, int place, Throwable unsupported)
            throws SQLException {
        try {
            Object value = rows.getObject(place + 1);
            classes[place] = null;
            return value;
        } catch (SQLException | RuntimeException failure) {
            failure.addSuppressed(unsupported);
            throw failure;
        }
    }

    /** Returns whether the failure concerns the connection, and not the class. */
    private static boolean isTransient(Throwable failure) {
        if (!(failure instanceof SQLException error)) {
            return false;
        }
        String state = error.getSQLState();
        return error instanceof SQLNonTransientConnectionException
                || error instanceof SQLTransientException
                || error instanceof SQLRecoverableException
                || state != null && state.startsWith("08");
    }
}
