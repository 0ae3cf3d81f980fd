package dev.ketch.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ketch.rows.Rows;
import java.io.IOException;
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
 * Reads rows as a list of maps: recorded rows, and all rows of a table. An input is JSON, a list of rows that are lists of
 * cells.
 */
final class Select {
    private static final String SQL = "select * from ships";

    private Select() {}

    private interface Reader {
        Object all(ResultSet rows) throws SQLException;
    }

    /** Rows in memory, which cost almost nothing to read. The class provides the other methods. */
    private static final class Recorded extends SimpleResultSet {
        private final Object[][] rows;
        private int at;

        Recorded(Object[][] rows) {
            this.rows = rows;
            for (int i = 0; i < rows[0].length; i++) {
                addColumn("column" + i, Types.VARCHAR, 0, 0);
            }
        }

        Recorded restart() {
            at = -1;
            return this;
        }

        @Override
        public boolean next() {
            return ++at < rows.length;
        }

        @Override
        public Object getObject(int column) {
            return rows[at][column - 1];
        }
    }

    static void register(Runner runner) {
        recorded(runner, "ketch", Rows::all);
        recorded(runner, "plain loop", Select::plain);
        database(runner, "h2", "jdbc:h2:mem:");
        database(runner, "sqlite", "jdbc:sqlite::memory:");
    }

    private static void recorded(Runner runner, String engine, Reader reader) {
        runner.add("rows.recorded", engine, input -> {
            Recorded rows = new Recorded(cells(input));
            return new Work(() -> reader.all(rows.restart()));
        });
    }

    private static void database(Runner runner, String name, String url) {
        runner.add("rows.select_all_" + name, "ketch", input -> {
            Connection connection = filled(url, cells(input));
            return new Work(() -> Rows.selectAll(connection, SQL), result -> result, connection);
        });
        runner.add("rows.select_all_" + name, "plain loop", input -> {
            Connection connection = filled(url, cells(input));
            Work.Call call = () -> {
                try (PreparedStatement statement = connection.prepareStatement(SQL);
                        ResultSet rows = statement.executeQuery()) {
                    return plain(rows);
                }
            };
            return new Work(call, result -> result, connection);
        });
    }

    private static Object[][] cells(byte[] input) throws IOException {
        return new ObjectMapper().readValue(input, Object[][].class);
    }

    /** Returns a connection to a database of its own, which has a table of two texts. */
    private static Connection filled(String url, Object[][] cells) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table ships (name varchar(40), rig varchar(40))");
        }
        try (PreparedStatement insertion = connection.prepareStatement("insert into ships values (?, ?)")) {
            for (Object[] row : cells) {
                insertion.setObject(1, row[0]);
                insertion.setObject(2, row[1]);
                insertion.execute();
            }
        }
        return connection;
    }

    /** Reads rows with the loop that programs write, which reads the labels once. */
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
}
