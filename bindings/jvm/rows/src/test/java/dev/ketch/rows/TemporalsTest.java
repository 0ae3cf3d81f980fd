package dev.ketch.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

/** Dates and times are those of the database, in every time zone. */
class TemporalsTest {
    /** Zones with gaps at night, at midnight and of a whole day. */
    private static final List<String> ZONES = List.of("UTC", "Europe/Berlin", "America/New_York",
            "America/Sao_Paulo", "Pacific/Apia", "Asia/Kolkata", "Africa/Monrovia");

    private static final List<LocalDate> DATES = List.of(LocalDate.of(1, 1, 1), LocalDate.of(-44, 3, 15),
            LocalDate.of(0, 2, 29), LocalDate.of(1500, 2, 28), LocalDate.of(1500, 3, 1),
            LocalDate.of(1582, 10, 10), LocalDate.of(1969, 12, 31), LocalDate.of(2011, 12, 30),
            LocalDate.of(2018, 11, 4), LocalDate.of(12000, 1, 1));

    private static final List<String> CLOCKS = List.of("00:00:00", "00:30:00", "02:30:00",
            "12:34:56.789", "23:59:59.999999999");

    private interface Check {
        void run(Connection connection) throws SQLException, IOException;
    }

    private static void inZones(String url, Check check) throws SQLException, IOException {
        TimeZone before = TimeZone.getDefault();
        try {
            for (String zone : ZONES) {
                TimeZone.setDefault(TimeZone.getTimeZone(zone));
                try (Connection connection = DriverManager.getConnection(url)) {
                    check.run(connection);
                }
            }
        } finally {
            TimeZone.setDefault(before);
        }
    }

    /** Returns a date as SQL writes it: years have no sign but `-`. */
    private static String sql(LocalDate date) {
        return date.toString().replace("+", "");
    }

    private static String json(Connection connection, String sql) throws SQLException, IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            Rows.write(rows, out, Format.JSON);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void h2() throws SQLException, IOException {
        inZones("jdbc:h2:mem:", connection -> {
            for (LocalDate date : DATES) {
                for (String clock : CLOCKS) {
                    LocalDateTime time = LocalDateTime.parse(date + "T" + clock);
                    String sql = "select cast(null as date) as n, date '" + sql(date) + "' as d, cast('" + sql(date) + " "
                            + clock + "' as timestamp(9)) as t, cast('" + clock + "' as time(9)) as c";
                    Map<String, Object> row = Rows.selectAll(connection, sql).get(0);
                    String where = TimeZone.getDefault().getID() + " " + time;
                    assertNull(row.get("N"), where);
                    assertEquals(date, row.get("D"), where);
                    assertEquals(time, row.get("T"), where);
                    assertEquals(clock, row.get("C"), where);
                    assertEquals("[\n{\"N\":null,\"D\":\"" + date + "\",\"T\":\"" + date + "T" + clock
                            + "\",\"C\":\"" + clock + "\"}\n]\n", json(connection, sql), where);
                }
            }
            assertEquals(Map.of("Z", "12:34:56.5+02:00", "O", OffsetDateTime.parse("2024-03-31T02:30+05:30")),
                    Rows.selectAll(connection, "select cast('12:34:56.5+02' as time(1) with time zone) as z,"
                            + " timestamp with time zone '2024-03-31 02:30:00+05:30' as o").get(0));
        });
    }

    @Test
    void sqlite() throws SQLException, IOException {
        inZones("jdbc:sqlite::memory:", connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("create table t (d date, at timestamp, c time)");
                for (LocalDate date : DATES) {
                    for (String clock : CLOCKS) {
                        statement.execute("insert into t values ('" + sql(date) + "', '" + sql(date) + " "
                                + clock + "', '" + clock + "')");
                    }
                }
                statement.execute("insert into t values (1000, 1.5, 'noon'), (null, null, null)");
            }
            List<List<Object>> rows = new ArrayList<>();
            Rows.forEach(connection, "select * from t",
                    row -> rows.add(Arrays.asList(row.get("d"), row.get("at"), row.get("c"))));
            List<List<Object>> expected = new ArrayList<>();
            for (LocalDate date : DATES) {
                for (String clock : CLOCKS) {
                    expected.add(List.of(sql(date), sql(date) + " " + clock, clock));
                }
            }
            expected.add(List.of(1000, 1.5, "noon"));
            expected.add(Arrays.asList(null, null, null));
            assertEquals(expected, rows);
        });
    }

    /** A driver with two columns, a DATE and a TIME, which fails to read classes of java.time. */
    private static final class Old {
        /** What {@code getObject} with a class throws; null to return a value. */
        Throwable failure;
        /** The first row in which it is thrown. */
        int failsAt = 1;
        SQLException second;
        List<Integer> nulls = List.of();
        int typed;
        private int row;

        private Object value(Object[] arguments) throws Throwable {
            if (arguments.length == 2) {
                typed++;
                if (nulls.contains(row)) {
                    return null;
                }
                if (failure != null && row >= failsAt) {
                    throw failure;
                }
                return arguments[1] == LocalDate.class ? LocalDate.of(1500, 3, 1) : LocalTime.NOON;
            }
            if (second != null) {
                throw second;
            }
            if (nulls.contains(row)) {
                return null;
            }
            return arguments[0].equals(1) ? Date.valueOf("2026-11-25") : new Time(Time.valueOf("10:00:00").getTime() + 250);
        }

        private static <T> T proxy(Class<T> type, InvocationHandler handler) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, handler));
        }

        ResultSet rows() {
            ResultSetMetaData columns = proxy(ResultSetMetaData.class, (self, method, arguments) ->
                    switch (method.getName()) {
                        case "getColumnCount" -> 2;
                        case "getColumnLabel" -> arguments[0].equals(1) ? "d" : "c";
                        case "getColumnType" -> arguments[0].equals(1) ? Types.DATE : Types.TIME;
                        case "getColumnTypeName" -> "time";
                        case "getColumnClassName" -> "java.sql.Date";
                        default -> throw new AssertionError(method);
                    });
            return proxy(ResultSet.class, (self, method, arguments) -> switch (method.getName()) {
                case "next" -> row++ < 3;
                case "getMetaData" -> columns;
                case "getObject" -> value(arguments);
                default -> throw new AssertionError(method);
            });
        }
    }

    @Test
    void aDriverWithoutTheClassesIsAskedOncePerColumn() throws SQLException {
        for (Throwable failure : List.of(new SQLFeatureNotSupportedException(), new SQLException("no such class"),
                new SQLException("mismatch", "22005"), new AbstractMethodError(),
                new UnsupportedOperationException())) {
            Old driver = new Old();
            driver.failure = failure;
            driver.nulls = List.of(1);
            List<Map<String, Object>> rows = Rows.all(driver.rows());
            assertNull(rows.get(0).get("d"));
            assertEquals(Map.of("d", LocalDate.of(2026, 11, 25), "c", "10:00:00.25"), rows.get(1));
            assertEquals(rows.get(1), rows.get(2));
            assertEquals(4, driver.typed, failure + ": a null and a failure in each column");
        }
    }

    @Test
    void failuresOfTheConnectionAndOfLaterRowsReachTheCaller() throws SQLException {
        for (SQLException failure : List.of(new SQLException("reset", "08S01"),
                new SQLRecoverableException("lost"), new SQLTimeoutException("slow"))) {
            Old driver = new Old();
            driver.failure = failure;
            assertSame(failure, assertThrows(SQLException.class, () -> Rows.all(driver.rows())));
        }
        // Once a value has been read, a failure is about the value.
        SQLException wrong = new SQLException("a wrong date", "22007");
        Old later = new Old();
        later.failsAt = 2;
        later.failure = wrong;
        assertSame(wrong, assertThrows(SQLException.class, () -> Rows.all(later.rows())));
        Old both = new Old();
        both.failure = wrong;
        both.second = new SQLException("a wrong date, as an object");
        assertSame(both.second, assertThrows(SQLException.class, () -> Rows.all(both.rows())));
        assertSame(wrong, both.second.getSuppressed()[0]);
    }
}
