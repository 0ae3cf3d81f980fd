package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Checks that each row of conformance/data-model.json loads as the value that the data model
 * defines.
 */
class DataModelTest {
    /** Keys are compared as they are in Java. */
    @Test
    void keysThatAreNumbersAreEqualOrNot() {
        List<?> cases = (List<?>) Json.read(Repository.read("conformance/keys.json"));
        assertTrue(cases.size() > 15);
        Loader last = Yaml.with(Options.builder().duplicateKeys(DuplicateKeys.LAST).build());
        for (Object row : cases) {
            Map<?, ?> entry = (Map<?, ?>) row;
            String yaml = (String) entry.get("yaml");
            Number column = (Number) entry.get("rounded");
            int pairs = yaml.split(": ").length - 1;
            if (column == null) {
                assertEquals(pairs, ((Map<?, ?>) Yaml.load(yaml)).size(), yaml);
            } else {
                YamlException error = assertThrows(DuplicateKeyException.class, () -> Yaml.load(yaml), yaml);
                assertEquals(1, error.line(), yaml);
                assertEquals(column.longValue(), error.column(), yaml);
                pairs--;
            }
            assertEquals(pairs, ((Map<?, ?>) last.load(yaml)).size(), yaml);
        }
    }

    @Test
    void valuesAreThoseOfTheDataModel() {
        int count = 0;
        for (Object row : (List<?>) Json.read(Repository.read("conformance/data-model.json"))) {
            Map<?, ?> entry = (Map<?, ?>) row;
            if (entry.get("yaml") == null || entry.get("items") == null) {
                continue;
            }
            Options.Builder options = Options.builder();
            if (entry.get("schema") != null) {
                options.schema(Schema.valueOf(((String) entry.get("schema")).toUpperCase()));
            }
            String yaml = (String) entry.get("yaml");
            for (boolean byDocuments : new boolean[] {false, true}) {
                if (byDocuments) {
                    options.limit(Limit.MAX_NODES, 1_000_000);
                }
                List<String> items = new ArrayList<>();
                Yaml.with(options.build()).loadAll(yaml).forEach(value -> Items.add(value, items));
                assertEquals(entry.get("items"), items, yaml);
            }
            count++;
        }
        assertTrue(count >= 63, "rows: " + count);
    }
}
