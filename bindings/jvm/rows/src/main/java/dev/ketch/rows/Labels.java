package dev.ketch.rows;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The labels of a query's columns, which all of its rows share. */
final class Labels {
    final String[] names;
    final Temporals temporals;
    /** Those of {@link #temporals}, for the check of each value. */
    final Class<?>[] classes;
    final Set<String> set;
    private final Map<String, Integer> places;

    private Labels(String[] names, Temporals temporals, Map<String, Integer> places) {
        this.names = names;
        this.temporals = temporals;
        this.classes = temporals.classes;
        this.places = places;
        this.set = Collections.unmodifiableSet(places.keySet());
    }

    static Labels of(ResultSet rows) throws SQLException {
        ResultSetMetaData columns = rows.getMetaData();
        int count = columns.getColumnCount();
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = columns.getColumnLabel(i + 1);
        }
        return new Labels(names, new Temporals(columns, count), places(names));
    }

    /**
     * Returns the column of each label. A column without a label, or with the label of another,
     * first gets a unique one.
     */
    private static Map<String, Integer> places(String[] names) {
        Set<String> given = new HashSet<>(Arrays.asList(names));
        Map<String, Integer> places = new LinkedHashMap<>(2 * names.length);
        for (int i = 0; i < names.length; i++) {
            if (names[i] == null || names[i].isEmpty()) {
                names[i] = free("column", i + 1, given, places);
            } else if (places.containsKey(names[i])) {
                names[i] = free(names[i], 2, given, places);
            }
            places.put(names[i], i);
        }
        return places;
    }

    private static String free(
            String start, int first, Set<String> given, Map<String, Integer> places) {
        int number = first;
        while (given.contains(start + "_" + number) || places.containsKey(start + "_" + number)) {
            number++;
        }
        return start + "_" + number;
    }

    /** Returns the index of a column, or -1. */
    int place(Object name) {
        Integer place = name instanceof String ? places.get(name) : null;
        return place == null ? -1 : place;
    }
}
