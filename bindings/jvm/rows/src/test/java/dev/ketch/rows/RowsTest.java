package dev.ketch.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ketch.Yaml;
import dev.ketch.extprot.Extprot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows of H2 and SQLite. */
class RowsTest {
    private static Connection h2() throws SQLException {
        return DriverManager.getConnection("jdbc:h2:mem:");
    }

    private static Connection sqlite() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite::memory:");
    }

    private static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static Map<String, Object> row(Object... pairs) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            row.put((String) pairs[i], pairs[i + 1]);
        }
        return row;
    }

    private static String written(Connection connection, String sql, Format format)
            throws SQLException, IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            Rows.write(rows, out, format);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static final String SHIPS = "select * from (values (1, 'Ariel', 2.50), (2, 'Zoë', null))"
            + " as ships(id, name, draught) where id <= ? order by id";

    @Test
    void rowsAreMapsInTheOrderOfTheColumns() throws SQLException {
        try (Connection connection = h2()) {
            List<Map<String, Object>> rows = Rows.selectAll(connection, SHIPS, 2);
            assertEquals(List.of(row("ID", 1, "NAME", "Ariel", "DRAUGHT", new BigDecimal("2.50")),
                    row("ID", 2, "NAME", "Zoë", "DRAUGHT", null)), rows);
            assertEquals("{ID=1, NAME=Ariel, DRAUGHT=2.50}", rows.get(0).toString());
            assertEquals(1, Rows.selectAll(connection, SHIPS, 1).size());
            assertEquals(List.of(), Rows.selectAll(connection, SHIPS, 0));
            assertEquals("2.50", Rows.selectAllText(connection, SHIPS, 2).get(0).get("DRAUGHT"));
            assertNull(Rows.selectAllText(connection, SHIPS, 2).get(1).get("DRAUGHT"));
            List<Object> names = new ArrayList<>();
            assertEquals(2, Rows.forEach(connection, SHIPS, ship -> names.add(ship.get("NAME")), 2));
            assertEquals(List.of("Ariel", "Zoë"), names);
        }
    }

    @Test
    void nullInPlaceOfTheParametersIsOneNull() throws SQLException {
        String sql = "select cast(? as int) is null as missing";
        try (Connection connection = h2()) {
            Object[] none = null;
            assertEquals(List.of(row("MISSING", true)), Rows.selectAll(connection, sql, none));
            assertEquals(1, Rows.selectAllText(connection, sql, none).size());
            assertEquals(1, Rows.forEach(connection, sql, found -> assertEquals(true, found.get("MISSING")), none));
        }
    }

    @Test
    void rowsAreImmutable() throws Exception {
        try (Connection connection = h2()) {
            List<Map<String, Object>> rows = Rows.selectAll(connection, SHIPS, 2);
            Map<String, Object> row = rows.get(1);
            assertSame(row.keySet(), rows.get(0).keySet());
            assertTrue(row.containsKey("DRAUGHT") && !row.containsKey("draught"));
            assertNull(row.get("none"));
            assertNull(row.get(1));
            assertEquals(row("ID", 2, "NAME", "Zoë", "DRAUGHT", null), row);
            assertEquals(row("ID", 2, "NAME", "Zoë", "DRAUGHT", null).hashCode(), row.hashCode());
            assertEquals(Arrays.asList(2, "Zoë", null), List.copyOf(row.keySet()).stream().map(row::get).toList());
            assertThrows(UnsupportedOperationException.class, () -> row.put("ID", 3));
            assertThrows(UnsupportedOperationException.class, () -> row.remove("ID"));
            assertThrows(UnsupportedOperationException.class, () -> row.keySet().remove("ID"));
            assertThrows(UnsupportedOperationException.class,
                    () -> row.entrySet().iterator().next().setValue(3));
            assertEquals("- ID: 2\n  NAME: Zoë\n  DRAUGHT: null\n", Yaml.dump(List.of(row)));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            new ObjectOutputStream(bytes).writeObject(row);
            Object copy = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
            assertEquals(row, copy);
        }
    }

    @Test
    void columnsWithMissingOrRepeatedLabelsGetNames() throws SQLException {
        try (Connection connection = sqlite()) {
            String sql = "select 1 as id, 2 as id, 3 as id_2, 4 as id, 5 as \"\", 6 as column_6, 7 as \"\"";
            assertEquals(List.of(row("id", 1, "id_3", 2, "id_2", 3, "id_4", 4, "column_5", 5, "column_6", 6,
                    "column_7", 7)), Rows.selectAll(connection, sql));
        }
    }

    private static final String TYPES = "select true as b, cast(7 as tinyint) as t, cast(8 as smallint) as s,"
            + " 9000000000 as l, cast(0.1 as real) as r, cast(0.1 as double precision) as d,"
            + " 12345678901234567890.123456789 as dec, date '2026-11-25' as since,"
            + " timestamp '2026-11-25 10:00:00' as at, time '10:00:00' as clock,"
            + " timestamp with time zone '2026-11-25 10:00:00+05:30' as zoned, X'00ff' as bytes,"
            + " cast('long' as clob) as c, cast(X'01' as blob) as bl, array[1, null] as list,"
            + " cast('6e0a7bd4-0000-4000-8000-000000000001' as uuid) as u, cast(null as int) as nothing";

    @Test
    void valuesHaveTheRightTypes() throws SQLException {
        try (Connection connection = h2()) {
            Map<String, Object> row = new LinkedHashMap<>(Rows.selectAll(connection, TYPES).get(0));
            assertArrayEquals(new byte[] {0, -1}, (byte[]) row.remove("BYTES"));
            assertArrayEquals(new byte[] {1}, (byte[]) row.remove("BL"));
            assertEquals(row("B", true, "T", 7, "S", 8, "L", 9_000_000_000L, "R", 0.1, "D", 0.1,
                    "DEC", new BigDecimal("12345678901234567890.123456789"), "SINCE", LocalDate.of(2026, 11, 25),
                    "AT", LocalDateTime.of(2026, 11, 25, 10, 0), "CLOCK", "10:00:00",
                    "ZONED", OffsetDateTime.parse("2026-11-25T10:00+05:30"), "C", "long",
                    "LIST", Arrays.asList(1, null), "U", "6e0a7bd4-0000-4000-8000-000000000001",
                    "NOTHING", null), row);
        }
    }

    @Test
    void sqliteHasATypeForEachValue() throws SQLException {
        try (Connection connection = sqlite()) {
            run(connection, "create table t (v)", "insert into t values (1), ('a'), (1.5), (null), (x'01')");
            List<Object> values = new ArrayList<>();
            Rows.forEach(connection, "select v from t", row -> values.add(row.get("v")));
            assertArrayEquals(new byte[] {1}, (byte[]) values.remove(4));
            assertEquals(Arrays.asList(1, "a", 1.5, null), values);
        }
    }

    @Test
    void rowsAreWritten() throws SQLException, IOException {
        try (Connection connection = h2()) {
            assertEquals("""
                    - B: true
                      T: 7
                      S: 8
                      L: 9000000000
                      R: 0.1
                      D: 0.1
                      DEC: 12345678901234567890.123456789
                      SINCE: !!timestamp 2026-11-25
                      AT: !!timestamp 2026-11-25T10:00:00
                      CLOCK: "10:00:00"
                      ZONED: !!timestamp 2026-11-25T10:00:00+05:30
                      BYTES: !!binary AP8=
                      C: long
                      BL: !!binary AQ==
                      LIST:
                      - 1
                      - null
                      U: 6e0a7bd4-0000-4000-8000-000000000001
                      NOTHING: null
                    """, written(connection, TYPES, Format.YAML));
            String json = written(connection, TYPES, Format.JSON);
            assertEquals("[\n{\"B\":true,\"T\":7,\"S\":8,\"L\":9000000000,\"R\":0.1,\"D\":0.1,"
                    + "\"DEC\":12345678901234567890.123456789,\"SINCE\":\"2026-11-25\","
                    + "\"AT\":\"2026-11-25T10:00:00\",\"CLOCK\":\"10:00:00\","
                    + "\"ZONED\":\"2026-11-25T10:00:00+05:30\",\"BYTES\":\"AP8=\",\"C\":\"long\",\"BL\":\"AQ==\","
                    + "\"LIST\":[1,null],\"U\":\"6e0a7bd4-0000-4000-8000-000000000001\",\"NOTHING\":null}\n]\n", json);
        }
    }

    @Test
    void aQueryWithoutRowsReturnsAnEmptyList() throws SQLException, IOException {
        try (Connection connection = sqlite()) {
            String sql = "select 1 as a where 0";
            assertEquals("[]\n", written(connection, sql, Format.YAML));
            assertEquals(List.of(), Yaml.load(written(connection, sql, Format.JSON)));
            assertEquals("", written(connection, sql, Format.EXTPROT));
        }
    }

    @Test
    void extprotIsWrittenAsOneValuePerRow() throws SQLException, IOException {
        try (Connection connection = h2(); Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(SHIPS.replace("?", "2"))) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            assertEquals(2, Rows.write(rows, out, Format.EXTPROT));
            assertEquals(List.of(row("ID", 1, "NAME", "Ariel", "DRAUGHT", "2.50"),
                    row("ID", 2, "NAME", "Zoë", "DRAUGHT", null)), Extprot.loadAll(out.toByteArray()));
        }
    }

    @Test
    void anyTextIsWritten() throws SQLException, IOException {
        StringBuilder all = new StringBuilder("é世\ud83d\ude00 ");
        for (char unit = 1; unit < 0x80; unit++) {
            all.append(unit);
        }
        try (Connection connection = h2()) {
            run(connection, "create table t (\"a\"\"\\é\" varchar)");
            Rows.selectAll(connection, "select * from final table (insert into t values (?))", all.toString());
            List<Object> expected = List.of(row("a\"\\é", all.toString()));
            assertEquals(expected, Yaml.load(written(connection, "select * from t", Format.JSON)));
            assertEquals(expected, Yaml.load(written(connection, "select * from t", Format.YAML)));
        }
    }

    @Test
    void anUnsupportedValueIsNamed() throws SQLException {
        try (Connection connection = h2()) {
            String sql = "select 1 as a, cast(1.5 as double precision) as x union all select 2, cast('NaN' as double precision)";
            IllegalArgumentException error = assertThrows(IllegalArgumentException.class,
                    () -> written(connection, sql, Format.JSON));
            assertEquals("row 2, column X: JSON has no NaN; cast it to text or NULL in the query",
                    error.getMessage());
            String far = "select 1 as a, date '2026-11-25' as d union all select 2, date '12000-01-01'";
            for (Format format : List.of(Format.YAML, Format.EXTPROT)) {
                IllegalArgumentException year =
                        assertThrows(IllegalArgumentException.class, () -> written(connection, far, format));
                assertTrue(year.getMessage().startsWith("row 2, column D: "), year.getMessage());
                assertTrue(year.getMessage().endsWith("only the years 0 to 9999"), year.getMessage());
            }
        }
    }

    @Test
    void manyRowsTakeConstantMemory() throws SQLException, IOException {
        try (Connection connection = sqlite()) {
            String sql = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000)"
                    + " select i, 'ship ' || i as name, i / 7.0 as draught from n";
            long[] most = new long[1];
            long[] count = new long[1];
            OutputStream out = new OutputStream() {
                @Override
                public void write(int unit) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void write(byte[] bytes, int offset, int length) {
                    most[0] = Math.max(most[0], length);
                    count[0] += length;
                }
            };
            for (Format format : Format.values()) {
                most[0] = 0;
                count[0] = 0;
                try (Statement statement = connection.createStatement();
                        ResultSet rows = statement.executeQuery(sql)) {
                    assertEquals(300_000, Rows.write(rows, out, format));
                }
                // No piece grows with the number of rows.
                assertTrue(count[0] > 10_000_000 && most[0] < 1 << 20, format + " " + count[0] + " " + most[0]);
            }
        }
    }
}
