package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The edits of conformance/edit, which all hosts run. */
class EditCasesTest {
    /** A literal string in three quotes, or a basic one with the escapes of JSON. */
    private static final Pattern FIELD = Pattern.compile("(?ms)^(\\w+) = (?:'''(.*?)'''|(\"[^\\n]*\"))$");

    private static List<Map<String, String>> cases(String file) {
        List<Map<String, String>> all = new ArrayList<>();
        String[] parts = Repository.read("conformance/edit/" + file).split("(?m)^\\[\\[case\\]\\]\n");
        for (String part : Arrays.copyOfRange(parts, 1, parts.length)) {
            Map<String, String> fields = new HashMap<>();
            Matcher field = FIELD.matcher(part.replaceAll("(?m)^#.*\n", ""));
            while (field.find()) {
                String text = field.group(2) == null ? (String) Yaml.load(field.group(3)) : field.group(2);
                fields.put(field.group(1), text);
            }
            all.add(fields);
        }
        return all;
    }

    private static String crlf(String text) {
        return text.replace("\r\n", "\n").replace("\n", "\r\n");
    }

    /** Applies patches, whose offsets are in bytes. */
    private static byte[] patched(byte[] text, List<YamlEdit.Patch> patches) {
        StringBuilder latin = new StringBuilder(new String(text, StandardCharsets.ISO_8859_1));
        for (int i = patches.size() - 1; i >= 0; i--) {
            YamlEdit.Patch patch = patches.get(i);
            byte[] piece = patch.text().getBytes(StandardCharsets.UTF_8);
            latin.replace(patch.start(), patch.end(), new String(piece, StandardCharsets.ISO_8859_1));
        }
        return latin.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void check(String name, String before, String operations, String after) {
        try (YamlEdit edit = Yaml.edit(before)) {
            edit.apply(operations);
            assertEquals(after, edit.text(), name);
            byte[] old = before.getBytes(StandardCharsets.UTF_8);
            assertArrayEquals(edit.toBytes(), patched(old, edit.patches()), name);
            assertArrayEquals(old, patched(edit.toBytes(), edit.inverse()), name);
            assertEquals(!before.equals(after), edit.isChanged(), name);
        }
    }

    @Test
    void operationsGiveTheseBytes() {
        List<Map<String, String>> cases = cases("cases.toml");
        assertTrue(cases.size() >= 130, cases.size() + " cases");
        for (Map<String, String> given : cases) {
            String before = given.get("before");
            String after = given.get("after");
            check(given.get("name"), before, given.get("operations"), after);
            // Without a line break, the text does not say which it has.
            if (before.contains("\n") && !before.contains("\r")) {
                check(given.get("name"), crlf(before), given.get("operations"), crlf(after));
            }
        }
    }

    @Test
    void refusalsChangeNothing() {
        List<Map<String, String>> cases = cases("refusals.toml");
        assertTrue(cases.size() >= 50, cases.size() + " cases");
        for (Map<String, String> given : cases) {
            YamlEdit[] opened = new YamlEdit[1];
            YamlException error = assertThrows(YamlException.class, () -> {
                opened[0] = Yaml.edit(given.get("before"));
                opened[0].apply(given.get("operations"));
            }, given.get("name"));
            // Texts that cannot be parsed have the parser's exceptions.
            String kind = error instanceof EditException ? error.name() : "invalid";
            assertEquals(given.get("error"), kind, given.get("name"));
            if (given.containsKey("at")) {
                assertEquals(given.get("at"), error.line() + ":" + error.column(), given.get("name"));
            }
            if (opened[0] != null) {
                assertEquals(given.get("before"), opened[0].text(), given.get("name"));
            }
        }
    }

    /** The cases by methods of nodes and views. */
    @Test
    void methodsGiveTheSameBytes() {
        int count = 0;
        for (Map<String, String> given : cases("cases.toml")) {
            YamlEdit edit = Yaml.edit(given.get("before"));
            boolean isDone = true;
            for (Object operation : (List<?>) Yaml.load(given.get("operations"))) {
                isDone = isDone && byMethod(edit, new LinkedHashMap<>((Map<?, ?>) operation));
            }
            if (isDone) {
                count++;
                assertEquals(given.get("after"), edit.text(), given.get("name"));
                // What a view reads is what a load of the new text gives, which may keep a lenient layout.
                Options lenient = Options.builder().lenient(true).build();
                assertEquals(Yaml.with(lenient).loadAll(given.get("after")),
                        edit.documents().stream().map(EditNode::value).toList(), given.get("name"));
            }
        }
        assertTrue(count >= 80, count + " cases");
    }

    /** Performs an operation with a method. Returns false if it needs a field that no method has. */
    private static boolean byMethod(YamlEdit edit, Map<Object, Object> fields) {
        String operation = (String) fields.remove("op");
        Object path = fields.remove("path");
        if (operation.equals("rename_anchor") && path == null) {
            edit.renameAnchor((String) fields.get("from"), (String) fields.get("to"));
            return true;
        }
        if (!(path instanceof List<?> keys) || fields.containsKey("doc")) {
            return false;
        }
        EditNode node = edit.at(keys.toArray());
        Object value = fields.get("value");
        Object to = fields.remove("to");
        String last = keys.isEmpty() ? null : String.valueOf(keys.get(keys.size() - 1));
        switch (operation) {
            case "set" -> node.set(value, options(fields));
            case "replace" -> node.replace(value, options(fields));
            case "delete" -> node.delete(options(fields));
            case "rename" -> node.rename((String) to);
            case "merge" -> node.merge((Map<?, ?>) value);
            case "merge_patch" -> node.mergePatch((Map<?, ?>) value);
            case "append" -> node.list().add(value);
            case "sort" -> node.sort();
            case "style" -> node.setStyle(EditNode.Style.valueOf(((String) to).toUpperCase()));
            case "anchor" -> node.setAnchor((String) to, options(fields));
            case "insert" -> {
                if (!(node.get() instanceof EditMap map)) {
                    return false;
                }
                Object key = fields.remove("key");
                map.insert(key, value, options(fields));
            }
            case "move", "copy" -> {
                if (!(to instanceof List<?> target) || last == null) {
                    return false;
                }
                EditCollection into = (EditCollection) edit.at(target.toArray()).get();
                if (operation.equals("move")) {
                    node.moveTo(into, options(fields));
                } else {
                    node.copyTo(into, options(fields));
                }
            }
            case "comment" -> {
                String text = (String) fields.get("text");
                if ("trailing".equals(fields.get("where"))) {
                    node.setComment(text);
                } else {
                    node.setLeadingComment(text);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static EditOption[] options(Map<Object, Object> fields) {
        List<EditOption> options = new ArrayList<>();
        fields.forEach((name, value) -> {
            switch ((String) name) {
                case "value" -> { }
                case "alias" -> options.add(value.equals("through") ? EditOption.THROUGH : EditOption.DETACH);
                case "anchors" -> options.add(value.equals("promote") ? EditOption.PROMOTE : EditOption.EXPAND);
                case "keep_tag" -> options.add(EditOption.KEEP_TAG);
                case "first" -> options.add(EditOption.FIRST);
                case "before" -> options.add(EditOption.before(value));
                case "after" -> options.add(EditOption.after(value));
                case "index" -> options.add(EditOption.index((Integer) value));
                case "tag" -> options.add(EditOption.tag((String) value));
                case "key" -> options.add(EditOption.key(value));
                default -> throw new AssertionError(name);
            }
        });
        return options.toArray(EditOption[]::new);
    }
}
