package dev.ketch.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A recorded driver, any call of which may fail: what was opened is closed. */
class ClosingTest {
    /** Counts calls, of which one may fail. */
    private static final class Driver {
        private final int failing;
        private final SQLException failure =
                new SQLNonTransientConnectionException("the connection is lost", "08006");
        private final List<String> open = new ArrayList<>();
        private int calls;
        private int row;

        Driver(int failing) {
            this.failing = failing;
        }

        private <T> T proxy(Class<T> type, InvocationHandler handler) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                    (self, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            open.remove(type.getSimpleName());
                            return null;
                        }
                        if (calls++ == failing) {
                            throw failure;
                        }
                        return handler.invoke(self, method, arguments);
                    }));
        }

        Connection connection() {
            return proxy(Connection.class, (self, method, arguments) -> {
                open.add("PreparedStatement");
                return statement();
            });
        }

        private PreparedStatement statement() {
            return proxy(PreparedStatement.class, (self, method, arguments) -> {
                if (method.getName().equals("executeQuery")) {
                    open.add("ResultSet");
                    return rows();
                }
                return null;
            });
        }

        ResultSet rows() {
            return proxy(ResultSet.class, (self, method, arguments) -> switch (method.getName()) {
                case "next" -> row++ < 3;
                case "getMetaData" -> columns();
                case "getObject" -> arguments[0].equals(1) ? BigInteger.TEN
                        : arguments[1] == OffsetDateTime.class ? OffsetDateTime.parse("2026-11-25T10:00Z")
                        : LocalDate.of(1500, 3, 1);
                case "getString" -> "10";
                case "getFetchSize" -> 0;
                default -> null;
            });
        }

        private ResultSetMetaData columns() {
            return proxy(ResultSetMetaData.class, (self, method, arguments) -> switch (method.getName()) {
                case "getColumnCount" -> 3;
                case "getColumnLabel" -> "label" + arguments[0];
                case "getColumnType" -> new int[] {Types.NUMERIC, Types.TIMESTAMP, Types.DATE}[(int) arguments[0] - 1];
                case "getColumnTypeName" -> "timestamptz";
                case "getColumnClassName" -> "java.sql.Date";
                default -> throw new AssertionError(method);
            });
        }
    }

    private interface Call {
        void run(Connection connection) throws SQLException;
    }

    @Test
    void openedResourcesAreClosed() throws SQLException {
        List<Call> calls = List.of(
                connection -> Rows.selectAll(connection, "select", 1, null),
                connection -> Rows.selectAllText(connection, "select", 1),
                connection -> Rows.forEach(connection, "select", row -> { }));
        for (Call call : calls) {
            Driver whole = new Driver(-1);
            call.run(whole.connection());
            assertEquals(List.of(), whole.open);
            for (int failing = 0; failing < whole.calls; failing++) {
                Driver driver = new Driver(failing);
                assertSame(driver.failure,
                        assertThrows(SQLException.class, () -> call.run(driver.connection())));
                assertEquals(List.of(), driver.open, "call " + failing);
            }
        }
    }

    @Test
    void exceptionsOfAConsumerReachTheCallerUnchanged() {
        Driver driver = new Driver(-1);
        IllegalStateException thrown = new IllegalStateException();
        assertSame(thrown, assertThrows(IllegalStateException.class,
                () -> Rows.forEach(driver.connection(), "select", row -> {
                    throw thrown;
                })));
        assertEquals(List.of(), driver.open);
    }

    @Test
    void exceptionsOfAStreamReachTheCallerUnchanged() {
        for (Format format : Format.values()) {
            IOException failure = new IOException("disk");
            OutputStream full = new OutputStream() {
                @Override
                public void write(int unit) throws IOException {
                    throw failure;
                }
            };
            assertSame(failure, assertThrows(IOException.class,
                    () -> Rows.write(new Driver(-1).rows(), full, format)));
        }
    }

    @Test
    void zonesOfPostgresqlAreKept() throws SQLException {
        Map<String, Object> row = Rows.all(new Driver(-1).rows()).get(0);
        assertEquals(Map.of("label1", 10, "label2", OffsetDateTime.parse("2026-11-25T10:00Z"),
                "label3", LocalDate.of(1500, 3, 1)), row);
        // The `Timestamp` that other drivers return has no zone.
        assertEquals("2026-11-25T10:00", Timestamp.valueOf("2026-11-25 10:00:00").toLocalDateTime().toString());
    }
}
