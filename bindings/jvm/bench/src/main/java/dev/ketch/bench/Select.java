package dev.ketch.bench;

import com.sun.management.ThreadMXBean;
import dev.ketch.rows.Rows;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.h2.tools.SimpleResultSet;

/**
 * Compares rows to the plain loop that puts each value into a {@link LinkedHashMap}, with recorded
 * rows and with databases.
 */
final class Select {
    /** Keeps results from being optimized away. */
    static Object sink;

    private Select() {}

    /** Rows in memory, which cost almost nothing to read. The class provides the other methods. */
    private static final class Recorded extends SimpleResultSet {
        private final Object[][] rows;
        private int at = -1;

        Recorded(int columns, Object[][] rows) {
            this.rows = rows;
            for (int i = 0; i < columns; i++) {
                addColumn("column" + i, Types.VARCHAR, 0, 0);
            }
        }

        @Override
        public boolean next() {
            return ++at < rows.length;
        }

        void restart() {
            at = -1;
        }

        @Override
        public Object getObject(int column) {
            return rows[at][column - 1];
        }
    }

    static void measure() throws IOException {
        for (int columns : new int[] {2, 5, 10, 30}) {
            recorded(columns);
        }
        for (String url : new String[] {"jdbc:h2:mem:", "jdbc:sqlite::memory:"}) {
            try (Connection connection = DriverManager.getConnection(url)) {
                select(connection);
            } catch (SQLException failure) {
                throw new IOException(failure);
            }
        }
    }

    private static void recorded(int columns) throws IOException {
        Object[][] cells = new Object[1000][columns];
        for (int i = 0; i < cells.length; i++) {
            for (int j = 0; j < columns; j++) {
                cells[i][j] = j % 3 == 0 ? (Object) i : "value " + i + " " + j;
            }
        }
        Recorded rows = new Recorded(columns, cells);
        Race.Call ours = () -> call(() -> {
            rows.restart();
            return Rows.all(rows);
        });
        Race.Call plain = () -> call(() -> {
            rows.restart();
            return plain(rows);
        });
        if (!ours.run().equals(plain.run())) {
            throw new IOException("the rows differ");
        }
        String name = "recorded, 1,000 rows of " + columns + " columns";
        Race.run("rows", name, 0, calls(ours, "plain loop, recorded", plain));
        Race.note("%s: the plain loop allocates %.2f times as many bytes", name, (double) bytes(plain) / bytes(ours));
    }

    /** Returns the number of bytes that a call allocates. The values already exist. */
    private static long bytes(Race.Call call) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadAllocatedBytes();
        sink = call.run();
        return threads.getCurrentThreadAllocatedBytes() - start;
    }

    private interface Sql {
        Object run() throws SQLException;
    }

    private static Object call(Sql sql) throws IOException {
        try {
            return sql.run();
        } catch (SQLException failure) {
            throw new IOException(failure);
        }
    }

    /** Reads rows with the plain loop that programs write, which reads the labels once. */
    private static List<Map<String, Object>> plain(ResultSet rows) throws SQLException {
        ResultSetMetaData columns = rows.getMetaData();
        int count = columns.getColumnCount();
        String[] labels = new String[count];
        for (int i = 0; i < count; i++) {
            labels[i] = columns.getColumnLabel(i + 1);
        }
        List<Map<String, Object>> all = new ArrayList<>();
        while (rows.next()) {
            Map<String, Object> row = new LinkedHashMap<>();
            for (int i = 0; i < count; i++) {
                row.put(labels[i], rows.getObject(i + 1));
            }
            all.add(row);
        }
        return all;
    }

    /** Measures the old table: 100 rows of two texts. */
    private static void select(Connection connection) throws SQLException, IOException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table ships (name varchar(40), rig varchar(40))");
            for (int i = 0; i < 100; i++) {
                statement.execute("insert into ships values ('ship " + i + "', 'rig " + i + "')");
            }
        }
        String sql = "select name, rig from ships";
        Race.Call ours = () -> call(() -> Rows.selectAll(connection, sql));
        Race.Call plain = () -> call(() -> {
            try (PreparedStatement statement = connection.prepareStatement(sql);
                    ResultSet rows = statement.executeQuery()) {
                return plain(rows);
            }
        });
        if (!ours.run().equals(plain.run())) {
            throw new IOException("the rows differ");
        }
        String name = connection.getMetaData().getDatabaseProductName();
        long start = System.nanoTime();
        for (int i = 0; i < 1000; i++) {
            sink = ours.run();
        }
        Race.note("%s, 100 rows of two texts, the first 1,000 times: %d ms", name,
                (System.nanoTime() - start) / 1_000_000);
        Race.run("rows", name + ", 100 rows of two texts", 0, calls(ours, "plain loop, " + name, plain));
    }

    private static Map<String, Race.Call> calls(Race.Call ours, String title, Race.Call plain) {
        Map<String, Race.Call> calls = new LinkedHashMap<>();
        calls.put("Rows", ours);
        calls.put(title, plain);
        return calls;
    }
}
