package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Edits of texts and files. */
class EditTest {
    private static final String TEXT = """
            # settings
            image:
              repository: app
              tag: '1.9'   # pinned
            hosts:   # of the site
            - a.example
            - b.example

            limits: {cpu: 0x10, memory: 2Gi}
            jobs:
              # the first
              - name: build
                steps: [compile, test]
              - name: deploy
            debug: yes
            """;

    private static String edited(String text, Consumer<YamlEdit> action) {
        try (YamlEdit edit = Yaml.edit(text)) {
            action.accept(edit);
            return edit.text();
        }
    }

    @Test
    void viewsReadLikeTheLoadedValue() {
        YamlEdit edit = Yaml.edit(TEXT);
        Object loaded = Yaml.load(TEXT);
        assertEquals(loaded, edit.map());
        assertEquals(edit.map(), loaded);
        assertEquals(loaded.hashCode(), edit.map().hashCode());
        assertEquals(loaded.toString(), edit.map().toString());
        assertEquals(loaded, edit.map().value());
        assertEquals(LinkedHashMap.class, edit.map().value().getClass());
        assertEquals(List.of("image", "hosts", "limits", "jobs", "debug"), List.copyOf(edit.map().keySet()));
        assertEquals(16, edit.at("limits", "cpu").get());
        assertEquals("deploy", edit.at("jobs", -1, "name").get());
        assertEquals(List.of("compile", "test"), edit.at("jobs", 0, "steps").list());
        assertTrue(edit.map().containsKey("image") && !edit.map().containsKey("tag"));
        assertNull(edit.map().get("absent"));
        assertNull(edit.at("absent", 1).get());
        assertFalse(edit.at("absent", 1).exists());
        assertEquals("b.example", edit.at("hosts").list().get(1));
        assertThrows(IndexOutOfBoundsException.class, () -> edit.at("hosts").list().get(2));
        assertThrows(IndexOutOfBoundsException.class, () -> edit.at("hosts").list().get(-1));
        assertThrows(ClassCastException.class, () -> edit.map().get(new Object()));
        assertFalse(edit.isChanged());
    }

    @Test
    void writesKeepEachOtherByte() {
        assertEquals(TEXT.replace("'1.9'", "'1.10'").replace("cpu: 0x10", "cpu: 17")
                .replace("- b.example\n", "- b.example\n- c.example\n").replace("debug: yes\n", "")
                .replace("[compile, test]", "[compile, test, pack]").replace("# the first", "# the very first"),
                edited(TEXT, edit -> {
                    assertEquals("1.9", edit.at("image").map().put("tag", "1.10"));
                    edit.at("hosts").list().add("c.example");
                    edit.at("limits", "cpu").set(17);
                    assertEquals("yes", edit.map().remove("debug"));
                    edit.at("jobs", 0, "steps").list().add(2, "pack");
                    edit.at("jobs", 0).setLeadingComment("the very first");
                }));
        assertEquals("port: 0x50\n", edited("port: 0x50\n", edit -> edit.at("port").set(80)));
        assertEquals("a:\n  b:\n    c: 1\n", edited("a: {}\n", edit -> edit.at("a").set(Map.of("b", Map.of("c", 1)))));
        assertEquals("a:\n  b:\n    c: 1\n", edited("", edit -> edit.at("a", "b", "c").set(1)));
        assertEquals("a:\n  - 1\n", edited("null\n", edit -> edit.map().put("a", List.of(1))));
        assertEquals("1: b\n2: c\n", edited("1: a\n2: c\n", edit -> edit.map().put(1, "b")));
    }

    @Test
    @SuppressWarnings("unchecked")
    void keysMayBeOfOtherTypes() {
        assertEquals("1.5: 4\n", edited("true: 1\n~: 2\n1.5: 3\n", edit -> {
            EditMap map = edit.map();
            assertEquals(1, map.get(true));
            assertEquals(2, map.remove(null));
            map.put(1.5, 4);
            map.keySet().removeIf(key -> key instanceof Boolean);
        }));
        assertEquals("- b\n- a\n", edited("- a\n- b\n", edit -> edit.at(1).moveTo(edit.list(), EditOption.before(0))));
        assertThrows(EditException.class, () -> Yaml.edit("a: 1").at("a").set(2, EditOption.tag("!x y")));
        assertEquals("a:\n  - x\n", edited("", edit ->
                ((List<Object>) edit.map().computeIfAbsent("a", key -> List.of())).add("x")));
    }

    @Test
    void methodsOfMapAndList() {
        assertEquals("a: 1\nc: 3 # three\nd: [4]\n", edited("a: 1\nb: 2\nc: 3 # three\n", edit -> {
            EditMap map = edit.map();
            assertTrue(map.keySet().removeIf("b"::equals));
            map.putAll(Map.of("d", List.of(4)));
            map.entrySet().forEach(entry -> {
                if (entry.getValue() instanceof EditList list) {
                    list.at().setStyle(EditNode.Style.FLOW);
                }
            });
            assertEquals(3, map.size());
        }));
        assertEquals("a: 2 # x\nb: 4\n", edited("a: 1 # x\nb: 2\n",
                edit -> edit.map().replaceAll((key, value) -> 2 * (int) value)));
        assertEquals("a: 2 # x\nb: 4\n", edited("a: 1 # x\nb: 2\n",
                edit -> edit.map().entrySet().forEach(entry -> entry.setValue(2 * (int) entry.getValue()))));
        assertEquals("{}\n", edited("a: 1\nb: 2\n", edit -> edit.map().clear()));
        assertEquals("- 0\n- 2 # two\n- 9\n", edited("- 1\n- 2 # two\n- 3\n- 4\n", edit -> {
            EditList list = edit.list();
            assertEquals(1, list.set(0, 0));
            assertTrue(list.removeIf(item -> (int) item > 2));
            assertFalse(list.removeIf(item -> false));
            list.addAll(List.of(9, 10));
            assertEquals(10, list.remove(3));
            assertEquals(1, list.indexOf(2));
        }));
        assertEquals("[1, 4, 9]\n", edited("[1, 2, 3]\n", edit -> edit.list().replaceAll(n -> (int) n * (int) n)));
        assertEquals("[]\n", edited("- 1\n- 2\n", edit -> edit.list().clear()));
        assertEquals("[x, y, w]\n", edited("[w]\n", edit -> edit.list().addAll(0, List.of("x", "y"))));
        assertThrows(IndexOutOfBoundsException.class, () -> Yaml.edit("[1]").list().add(2, 0));
    }

    @Test
    void entriesAreSortedAndMovedWithTheirComments() {
        String text = "b: 1 # one\n# two\na: 2\nc:\n- z # zz\n# y\n- yy\n- xxx\n";
        assertEquals("# two\na: 2\nb: 1 # one\nc:\n- z # zz\n# y\n- yy\n- xxx\n",
                edited(text, edit -> edit.at().sort()));
        assertEquals("c:\n- z # zz\n# y\n- yy\n- xxx\nb: 1 # one\n# two\na: 2\n",
                edited(text, edit -> edit.map().sort(Map.Entry.comparingByKey(Comparator.comparing(key -> -key.hashCode())))));
        assertEquals("b: 1 # one\n# two\na: 2\nc:\n- xxx\n# y\n- yy\n- z # zz\n",
                edited(text, edit -> edit.at("c").list().sort(Comparator.comparing(item -> -((String) item).length()))));
        assertEquals("b: 1 # one\n# two\na: 2\nc:\n- xxx\n# y\n- yy\n- z # zz\n",
                edited(text, edit -> edit.at("c").list().sort(null)));
        assertEquals("m:\n  y: 1 # one\nl: [2]\n", edited("x: 1 # one\nm: {}\nl: []\nz: 2\n", edit -> {
            edit.at("x").moveTo(edit.at("m").map(), EditOption.key("y"));
            edit.at("z").moveTo(edit.at("l").list());
            edit.at("l").setStyle(EditNode.Style.FLOW);
        }));
        assertEquals("b: 2\na: 1\n", edited("a: 1\nb: 2\n", edit -> edit.at("b").moveTo(edit.map(), EditOption.FIRST)));
        assertEquals("l: [&x {n: 1}, {n: 1}]\n",
                edited("l: [&x {n: 1}]\n", edit -> edit.at("l", 0).copyTo(edit.at("l").list())));
        EditMap other = Yaml.edit("{}").map();
        assertThrows(IllegalArgumentException.class, () -> Yaml.edit("a: 1").at("a").moveTo(other));
    }

    private static final Comparator<Object> BY_N = Comparator.comparing(item -> (Integer) ((Map<?, ?>) item).get("n"));

    @Test
    @SuppressWarnings("unchecked")
    void itemsThatAreCollectionsAreReordered() {
        String text = "- {n: 3}\n- {n: 1}\n- {n: 2}\n- {n: 0}\n";
        List<Consumer<List<Object>>> sorts = List.of(
                list -> Collections.sort(list, BY_N),
                list -> {
                    List<Object> items = new ArrayList<>(list);
                    items.sort(BY_N);
                    for (int i = 0; i < items.size(); i++) {
                        list.set(i, items.get(i));
                    }
                },
                list -> {
                    List<Object> items = new ArrayList<>(list);
                    items.sort(BY_N);
                    ListIterator<Object> at = list.listIterator();
                    items.forEach(item -> {
                        at.next();
                        at.set(item);
                    });
                },
                list -> {
                    List<Object> items = new ArrayList<>(list);
                    items.sort(BY_N);
                    list.clear();
                    list.addAll(items);
                    assertThrows(EditException.class, () -> ((Map<?, ?>) items.get(0)).size());
                },
                list -> {
                    List<Object> items = new ArrayList<>(list);
                    items.sort(BY_N);
                    list.removeIf(item -> true);
                    list.addAll(items);
                },
                list -> {
                    list.sort(BY_N.reversed());
                    Collections.reverse(list);
                },
                list -> {
                    Collections.swap(list, 0, 3);
                    Collections.rotate(list.subList(1, 4), 1);
                    Collections.swap(list, 1, 3);
                    Collections.swap(list, 1, 2);
                });
        for (Consumer<List<Object>> sort : sorts) {
            String edited = edited(text, edit -> sort.accept(edit.list()));
            assertEquals("- n: 0\n- n: 1\n- n: 2\n- n: 3\n", edited.replace("{", "").replace("}", ""), edited);
            YamlEdit nested = Yaml.edit(text.replace("{n: ", "[").replace("}", "]"));
            nested.list().subList(0, 3).sort(Comparator.comparing(item -> (Integer) ((List<?>) item).get(0)));
            assertEquals("- [1]\n- [2]\n- [3]\n- [0]\n", nested.text());
        }
        assertEquals("- {n: 3} # three\n- {n: 0}\n# two\n- {n: 2}\n", edited("- {n: 3} # three\n# two\n- {n: 2}\n- {n: 0}\n",
                edit -> edit.list().subList(1, 3).sort(BY_N)));
        assertEquals("- [1]\n- &x [3]\n- *x\n", edited("- &x [3]\n- *x\n- [1]\n", edit ->
                edit.list().subList(0, 3).sort(Comparator.comparing(item -> (Integer) ((List<?>) item).get(0)))));
        assertEquals("[4, 1, 2, 3, 9]\n", edited("[4, 3, 1, 9]\n", edit -> {
            List<Object> part = edit.list().subList(1, 3);
            part.add(1, 2);
            part.sort(null);
            assertEquals(List.of(1, 2, 3), part);
            part.remove((Object) 7);
        }));
        List<Integer> shuffled = new ArrayList<>(List.of(3, 1, 2, 0));
        Collections.shuffle(shuffled, new Random(7));
        YamlEdit shuffle = Yaml.edit(text);
        Collections.shuffle(shuffle.list(), new Random(7));
        assertEquals(shuffled, shuffle.list().stream().map(item -> ((EditMap) item).get("n")).toList());
        assertEquals("a: {x: 2}\nb: {x: 1}\n", edited("a: {x: 1}\nb: {x: 2}\n", edit -> {
            Object a = edit.map().get("a");
            edit.map().put("a", edit.map().get("b"));
            edit.map().put("b", a);
        }));
        assertEquals("- {n: [1]}\n- {n: [1]}\n", edited("- {n: [1]}\n- {n: [2]}\n", edit -> edit.list().set(1, edit.list().get(0))));
        assertEquals("- b: {a: 1}\n- b: {a: 2}\n", edited("- {a: 1}\n- {a: 2}\n",
                edit -> edit.list().replaceAll(item -> Map.of("b", item))).replaceAll("- \\{(.*)\\}", "- $1"));
    }

    @Test
    void aliasesAndTagsStayWithTheirValues() {
        String list = "- &a 1\n- *a\n- &n null\n- *n\n- &m !x {a: 1e400}\n- *m\n- !y z\n";
        YamlEdit edit = Yaml.edit(list);
        edit.list().replaceAll(item -> item);
        edit.list().subList(0, 7).replaceAll(item -> item);
        assertEquals(list, edit.text());
        String map = "a: &a 1\nb: *a\nn: &n null\no: *n\nm: &m !x {a: 1}\nl: *m\n";
        YamlEdit other = Yaml.edit(map);
        other.map().replaceAll((key, value) -> value);
        other.map().entrySet().forEach(entry -> entry.setValue(entry.getValue()));
        other.map().computeIfPresent("l", (key, value) -> value);
        assertEquals(map, other.text());
        assertEquals("a: !x {k: !y [1]}\nb: !x\n  k: !y\n    - 1\nc: [!x {k: !y [1]}]\n",
                edited("a: !x {k: !y [1]}\nb: 1\nc: []\n", views -> {
                    views.map().put("b", views.map().get("a"));
                    views.at("c").set(List.of(views.map().get("a")));
                    views.at("c").setStyle(EditNode.Style.FLOW);
                }));
    }

    @Test
    void misusedIteratorsAndMapsWithOtherKeys() {
        YamlEdit edit = Yaml.edit("a: [1, 2, 3]\nb: 2\nc: 3\n");
        EditList list = edit.at("a").list();
        assertThrows(ConcurrentModificationException.class, () -> list.forEach(item -> list.add(item)));
        assertThrows(ConcurrentModificationException.class, () -> list.forEach(item -> list.remove(0)));
        List<Object> part = list.subList(0, 1);
        list.removeIf(item -> true);
        assertThrows(ConcurrentModificationException.class, part::size);
        EditMap map = edit.map();
        assertThrows(ConcurrentModificationException.class, () -> map.keySet().forEach(key -> map.remove("b")));
        Iterator<Map.Entry<Object, Object>> entries = map.entrySet().iterator();
        assertThrows(IllegalStateException.class, entries::remove);
        entries.next();
        entries.remove();
        assertThrows(IllegalStateException.class, entries::remove);
        entries.next();
        assertThrows(NoSuchElementException.class, entries::next);
        assertEquals("c: 3\n", edit.text());
        Options old = Options.builder().schema(Schema.YAML11).build();
        String keys = "? [a, b]\n: {x: 1}\n? !!binary aGk=\n: 2\n!k l: 3\n2020-01-01: 4\nd: {y: 5}\n";
        YamlEdit others = Yaml.with(old).edit(keys);
        Map<Object, Object> found = new LinkedHashMap<>(others.map());
        assertEquals(List.of(Map.of("x", 1), 2, 3, 4, Map.of("y", 5)), List.copyOf(found.values()));
        assertTrue(found.containsKey(LocalDate.of(2020, 1, 1)) && found.containsKey(new Tagged("!k", "l")));
        ((EditMap) found.get("d")).put("y", 6);
        assertEquals(keys.replace("5", "6"), others.text());
    }

    @Test
    @SuppressWarnings("unchecked")
    void integersInMappingsAreKeys() {
        assertEquals("0: x\n5: z\n", edited("", edit -> {
            edit.map().put(0, "x");
            edit.map().put(5L, "z");
        }));
        assertEquals("-1: x\n", edited("# c\n", edit -> edit.map().putAll(Map.of(-1, "x"))).replace("# c\n", ""));
        assertEquals("1:\n  - x\n", edited("", edit ->
                ((List<Object>) edit.map().computeIfAbsent(1, key -> List.of())).add("x")));
        assertEquals("- x\n", edited("", edit -> edit.at(0).set("x")));
        assertEquals("-1: [3]\na: {-2: [5]}\n", edited("-1: [1, 2, 3]\na: {-2: [4, 5], b: 1}\n", edit -> {
            List<Object> one = (List<Object>) edit.map().get(-1);
            one.remove(0);
            one.remove(0);
            List<Object> two = (List<Object>) edit.at("a", -2).get();
            two.remove(0);
            edit.at("a", "b").delete();
            assertEquals(List.of(5), two);
        }));
    }

    @Test
    void halvesOfSurrogatePairsAreRefused() {
        YamlEdit edit = Yaml.edit("'?': 1\na: 2\n");
        String half = "x\uD800y";
        for (Consumer<YamlEdit> use : List.<Consumer<YamlEdit>>of(
                e -> e.map().get(half), e -> e.map().put(half, 1), e -> e.at("a").rename(half), e -> e.at("a").set(half),
                e -> e.at("a").setComment(half), e -> e.at("a").setLeadingComment(half), e -> e.map().insert(half, 1),
                e -> e.at("a").setAnchor(half), e -> e.apply("[{op: set, path: a, value: " + half + "}]"))) {
            IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> use.accept(edit));
            assertTrue(error.getMessage().contains("half of a surrogate pair"), error.getMessage());
        }
        assertTrue(assertThrows(IllegalArgumentException.class, () -> edit.at("a").setComment(half))
                .getMessage().endsWith("at index 1 of `x\uFFFDy`"));
        edit.at("a").setComment("\uD83D\uDE00");
        assertEquals("'?': 1\na: 2 # \uD83D\uDE00\n", edit.text());
        assertEquals("{\"a\": {\"<<\": \"<<\"}}\n",
                edited("{\"a\": 1}\n", json -> json.at("a").set(Map.of("<<", "<<"))));
        assertThrows(EditException.class, () -> Yaml.edit("{\"a\": 1}").at("a").set(new Tagged("!x", "y")));
    }

    @Test
    void largeValuesMayShareParts() {
        Map<String, Integer> shared = Map.of("k", 1);
        assertEquals("a:\n" + "  - k: 1\n".repeat(300_000),
                edited("a: 0\n", edit -> edit.at("a").set(Collections.nCopies(300_000, shared))));
        Object twice = 1;
        for (int i = 0; i < 90; i++) {
            twice = List.of(twice, twice);
        }
        Object bomb = twice;
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Yaml.edit("").at("a").set(bomb))
                .getMessage().contains("at most 10,000,000 parts"));
    }

    @Test
    void nodesHaveCommentsStylesTagsAndAnchors() {
        YamlEdit edit = Yaml.edit("# top\na: &x !t 'q'  # note\nb: *x\nc:\n- 1\n");
        EditNode a = edit.at("a");
        assertEquals(List.of("note", "top", "x", "!t", EditNode.Style.SINGLE),
                List.of(a.comment(), a.leadingComment(), a.anchor(), a.tag(), a.style()));
        assertEquals(EditNode.Style.ALIAS, edit.at("b").style());
        assertEquals(EditNode.Style.BLOCK, edit.at("c").style());
        assertNull(edit.at("c").tag());
        assertNull(edit.at("c").comment());
        a.setComment("other");
        a.setLeadingComment(null);
        a.setStyle(EditNode.Style.DOUBLE);
        a.setAnchor("y");
        edit.at("c").setStyle(EditNode.Style.FLOW);
        edit.at("c").setComment("list");
        assertEquals("a: &y !t \"q\"  # other\nb: *y\nc: [1] # list\n", edit.text());
        edit.renameAnchor("y", "z");
        assertEquals("z", edit.at("b").anchor());
        a.setAnchor(null, EditOption.EXPAND);
        assertEquals("a: !t \"q\"  # other\nb: !t \"q\"\nc: [1] # list\n", edit.text());
    }

    @Test
    void valuesOfAllTypesAreWritten() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("n", null);
        values.put("b", true);
        values.put("i", new BigInteger("123456789012345678901234567890"));
        values.put("d", new BigDecimal("0.1234567890123456789012345"));
        values.put("f", Double.NEGATIVE_INFINITY);
        values.put("t", "no");
        values.put("day", LocalDate.of(2024, 2, 29));
        values.put("at", OffsetDateTime.parse("2024-02-29T12:30:00+02:00"));
        values.put("bin", new byte[] {1, 2});
        values.put("e", EditNode.Style.FLOW);
        values.put("l", new Object[] {1, "x: y"});
        values.put("r", new YamlEdit.Patch(1, 2, "x"));
        List<Integer> shared = List.of(1, 2);
        values.put("s", List.of(shared, shared));
        values.put("c", 'c');
        values.put("time", LocalTime.of(1, 30));
        values.put("now", Instant.EPOCH);
        values.put("pause", Duration.ofSeconds(90));
        values.put("uuid", new UUID(0, 1));
        values.put("uri", URI.create("http://x"));
        values.put("path", Path.of("/x"));
        values.put("zone", ZoneId.of("Europe/Paris"));
        values.put("pattern", Pattern.compile("a+"));
        values.put("charset", StandardCharsets.UTF_8);
        assertEquals("""
                n: null
                b: true
                i: 123456789012345678901234567890
                d: 0.1234567890123456789012345
                f: -.inf
                t: "no"
                day: 2024-02-29
                at: 2024-02-29T12:30:00+02:00
                bin: !!binary AQI=
                e: FLOW
                l:
                  - 1
                  - "x: y"
                r:
                  start: 1
                  end: 2
                  text: x
                s:
                  - - 1
                    - 2
                  - - 1
                    - 2
                c: c
                time: "01:30"
                now: 1970-01-01T00:00:00Z
                pause: PT1M30S
                uuid: 00000000-0000-0000-0000-000000000001
                uri: http://x
                path: /x
                zone: Europe/Paris
                pattern: a+
                charset: UTF-8
                """, edited("", edit -> edit.map().putAll(values)));
        assertEquals("a: [1]\nb: [1]\n", edited("a: [1]\n", edit -> edit.at("b").set(edit.at("a").get())));
        List<Object> loop = new ArrayList<>();
        loop.add(loop);
        assertThrows(IllegalArgumentException.class, () -> Yaml.edit("").at("a").set(loop));
        assertThrows(IllegalArgumentException.class, () -> Yaml.edit("").at("a").set(new Object()));
    }

    @Test
    void severalDocuments() {
        YamlEdit edit = Yaml.edit("a: 1\n---\n- x\n---\nb: 2\n");
        List<EditNode> documents = edit.documents();
        assertEquals(3, documents.size());
        documents.get(1).list().add("y");
        documents.get(2).map().put("b", 3);
        edit.map().put("a", 2);
        assertEquals("a: 2\n---\n- x\n- y\n---\nb: 3\n", edit.text());
    }

    @Test
    void viewsFollowTheirCollections() {
        YamlEdit edit = Yaml.edit(TEXT);
        EditMap image = edit.at("image").map();
        EditList hosts = edit.at("hosts").list();
        EditMap deploy = edit.at("jobs", 1).map();
        edit.map().remove("debug");
        edit.at("jobs").list().add(0, Map.of("name", "lint"));
        deploy.put("needs", "build");
        edit.at("jobs").list().remove(0);
        edit.at("image").rename("picture");
        image.put("tag", "2");
        hosts.add("c");
        assertEquals("2", edit.at("picture", "tag").get());
        assertEquals(Map.of("name", "deploy", "needs", "build"), edit.at("jobs", 1).get());
    }

    @Test
    void staleViewsAreErrors() {
        List<Consumer<YamlEdit>> edits = List.of(
                edit -> edit.map().remove("l"),
                edit -> edit.map().put("l", 1),
                edit -> edit.map().put("l", Map.of("a", 1)),
                edit -> edit.map().put("l", List.of(List.of(2))),
                edit -> edit.at("l").set(List.of(3)),
                edit -> edit.at("l").replace(List.of(List.of(1))),
                edit -> edit.apply("[{op: delete, path: '.*'}]"),
                edit -> edit.at("l").moveTo(edit.at("m").map()));
        for (Consumer<YamlEdit> change : edits) {
            YamlEdit edit = Yaml.edit("m: {}\nl: [[1]]\n");
            EditList view = edit.at("l").list();
            EditList inner = edit.at("l", 0).list();
            change.accept(edit);
            for (EditList stale : List.of(view, inner)) {
                for (Consumer<EditList> use : List.<Consumer<EditList>>of(
                        list -> list.add(2), list -> list.get(0), EditList::size, EditList::value)) {
                    EditException error = assertThrows(EditException.class, () -> use.accept(stale));
                    assertEquals("stale-view", error.name());
                    assertTrue(error.getMessage().contains("the view of `l"), error.getMessage());
                }
            }
        }
    }

    @Test
    void batchesChangeAllOrNothing() {
        YamlEdit edit = Yaml.edit("a: &x 1\nb: *x\nc: 3\n");
        YamlEdit nested = Yaml.edit("m: {a: 1, b: &x 2}\nc: *x\n");
        assertEquals("anchor-in-use", assertThrows(EditException.class, () -> nested.at("m").map().clear()).name());
        assertFalse(nested.isChanged());
        assertThrows(EditException.class, () -> edit.apply("[{op: set, path: c, value: 4}, {op: delete, path: d}]"));
        Map<String, Object> entries = new LinkedHashMap<>();
        entries.put("c", 4);
        entries.put("d", new Object());
        assertThrows(IllegalArgumentException.class, () -> edit.map().putAll(entries));
        assertFalse(edit.isChanged());
        edit.apply(Yaml.dump(List.of(Map.of("op", "set", "path", List.of("c"), "value", 4))));
        assertEquals("a: &x 1\nb: *x\nc: 4\n", edit.text());
    }

    @Test
    void refusalsSayWhereAndWhatToDo(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("values.yml"), "ports:\n  web: &w 80\nalso: *w\n");
        YamlEdit edit = Yaml.edit(file);
        EditException missing = assertThrows(EditException.class, () -> edit.at("ports", "wbe").rename("x"));
        assertEquals(file + """
                :2:3: there is no key `wbe`; the mapping has `web`
                      web: &w 80
                      ^
                Check the path, or set the value to add it.""", missing.getMessage());
        assertEquals(List.of("not-found", 2L, 3L, "  web: &w 80"),
                List.of(missing.name(), missing.line(), missing.column(), missing.lineText()));
        assertEquals(missing.getMessage(),
                assertThrows(EditException.class, () -> edit.at("ports", "wbe").comment()).getMessage());
        assertEquals(missing.getMessage(),
                assertThrows(EditException.class, () -> edit.at("ports", "wbe").style()).getMessage());
        assertEquals(missing.getMessage(),
                assertThrows(EditException.class, () -> edit.at("ports", "wbe").map()).getMessage());
        EditException used = assertThrows(EditException.class, () -> edit.map().remove("ports"));
        assertTrue(used.help().contains("`EditOption.PROMOTE`"), used.help());
        assertTrue(used.getMessage().endsWith(used.help()), used.getMessage());
        EditException alias = assertThrows(EditException.class, () -> edit.at("also", "x").set(1));
        assertTrue(alias.getMessage().contains("`EditOption.THROUGH`"), alias.getMessage());
        assertThrows(ClassCastException.class, () -> edit.at("ports").list());
        edit.at("ports").delete(EditOption.PROMOTE);
        assertEquals("also: &w 80\n", edit.text());
        edit.close();
        assertThrows(IllegalStateException.class, edit::text);
        assertThrows(IllegalStateException.class, () -> Yaml.edit("a: 1").save());
        YamlSyntaxException invalid = assertThrows(YamlSyntaxException.class, () -> Yaml.edit("a: [1\n"));
        assertEquals(1, invalid.line());
    }

    @Test
    void encodingsDiffsAndOptions() {
        byte[] wide = "a: 'ü' # x\r\n".getBytes(StandardCharsets.UTF_16LE);
        YamlEdit edit = Yaml.edit(wide);
        edit.map().put("b", "é");
        assertEquals("a: 'ü' # x\r\nb: 'é'\r\n", new String(edit.toBytes(), StandardCharsets.UTF_16LE));
        assertEquals("a: 'ü' # x\r\nb: 'é'\r\n", edit.text());
        assertEquals("--- old\n+++ new\n@@ -1 +1 @@\n-a: 1\n+a: 2\n", Yaml.edit("a: 1\n").diff("old", "new")
                + with("a: 1\n", changed -> changed.map().put("a", 2)).diff("old", "new"));
        assertEquals(1, ((List<?>) Yaml.load(with("a: 1\n", changed -> changed.map().put("a", 2)).lspEdits())).size());
        Options old = Options.builder().schema(Schema.YAML11).build();
        assertEquals(true, Yaml.with(old).edit("a: yes").map().get("a"));
        YamlEdit merged = Yaml.with(old).edit("x: &x {b: 1}\ny: {<<: *x}\n");
        assertEquals(1, merged.at("y", "b").get());
        assertEquals("not-owned", assertThrows(EditException.class, () -> merged.at("y", "b").delete()).name());
    }

    private static YamlEdit with(String text, Consumer<YamlEdit> action) {
        YamlEdit edit = Yaml.edit(text);
        action.accept(edit);
        return edit;
    }

    // Files.

    @Test
    void aFileIsSavedOnSuccessOnly(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("ü.yml"), TEXT);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertTrue(Yaml.edit(file, edit -> edit.at("debug").set("no")));
        String saved = TEXT.replace("debug: yes", "debug: 'no'");
        assertEquals(saved, Files.readString(file));
        assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        Object time = Files.getLastModifiedTime(file);
        Object key = Files.getAttribute(file, "unix:ino");
        assertFalse(Yaml.edit(file, edit -> edit.at("limits", "cpu").set(16)));
        assertEquals(List.of(time, key), List.of(Files.getLastModifiedTime(file), Files.getAttribute(file, "unix:ino")));
        // The compiler knows which checked exception leaves the edits.
        assertThrows(InterruptedException.class, () -> Yaml.edit(file, edit -> {
            edit.at("debug").set(1);
            throw new InterruptedException();
        }));
        assertThrows(EditException.class, () -> Yaml.edit(file, edit -> {
            edit.at("debug").set(1);
            edit.at("none").delete();
        }));
        try (YamlEdit edit = Yaml.edit(file)) {
            edit.at("debug").set(1);
        }
        assertEquals(saved, Files.readString(file));
        try (YamlEdit edit = Yaml.edit(file)) {
            edit.at("debug").set(1);
            assertTrue(edit.save());
            assertFalse(edit.save());
            edit.at("debug").set("no");
            assertTrue(edit.save());
        }
        assertEquals(saved, Files.readString(file));
        assertEquals(1, folder.toFile().list().length);
    }

    @Test
    void filesThatCannotBeSaved(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a.yml"), "a: 1\n");
        FileChangedException changed = assertThrows(FileChangedException.class, () -> Yaml.edit(file, edit -> {
            edit.at("a").set(2);
            Files.writeString(file, "by: another\n");
        }));
        assertTrue(changed.getMessage().startsWith(file + ": it has changed since it was read\n"), changed.getMessage());
        assertEquals("by: another\n", Files.readString(file));
        Path hard = Files.createLink(folder.resolve("hard.yml"), file);
        IOException linked = assertThrows(IOException.class, () -> Yaml.edit(file, edit -> edit.at("a").set(2)));
        assertTrue(linked.getMessage().contains("`YamlEdit.saveInPlace()`"), linked.getMessage());
        try (YamlEdit edit = Yaml.edit(file)) {
            edit.at("a").set(2);
            assertTrue(edit.saveInPlace());
        }
        assertEquals("by: another\na: 2\n", Files.readString(hard));
        assertThrows(NoSuchFileException.class, () -> Yaml.edit(folder.resolve("none")));
        assertThrows(IOException.class, () -> Yaml.edit(folder));
        Files.writeString(folder.resolve("bad.yml"), "a: [1\n");
        YamlException invalid = assertThrows(YamlException.class, () -> Yaml.edit(folder.resolve("bad.yml")));
        assertTrue(invalid.getMessage().startsWith(folder.resolve("bad.yml") + ":1:4: "), invalid.getMessage());
    }

    /** Adds 1 to a number of a file, as often as another process has not changed the file meanwhile. */
    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[0]);
        for (int i = 0; i < 25;) {
            try {
                Yaml.edit(file, edit -> edit.at("n").set((int) edit.at("n").get() + 1));
                i++;
            } catch (FileChangedException changed) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void severalProcessesEditOneFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("n.yml"), "n: 0 # count\n");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = List.of(EditTest.class, Yaml.class).stream()
                .map(type -> new File(type.getProtectionDomain().getCodeSource().getLocation().getPath()).getPath())
                .reduce((one, other) -> one + File.pathSeparator + other).orElseThrow();
        String library = System.getProperty("ketch.library.path");
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            List<String> command = new ArrayList<>(List.of(java, "-cp", classes));
            if (library != null) {
                command.add("-Dketch.library.path=" + library);
            }
            if (Runtime.version().feature() >= 22) {
                command.add("--enable-native-access=ALL-UNNAMED");
            }
            Collections.addAll(command, EditTest.class.getName(), file.toString());
            processes.add(new ProcessBuilder(command).inheritIO().start());
        }
        for (Process process : processes) {
            assertEquals(0, process.waitFor());
        }
        assertEquals("n: 75 # count\n", Files.readString(file));
        assertEquals(1, folder.toFile().list().length);
    }

    // Random calls act as on Java's own collections.

    private static final List<Object> NEW = Arrays.asList(
            1, "x y", null, List.of(), Map.of(), List.of(1, Map.of("k", "v")), Map.of("n", List.of(true)), "line\nline\n");

    @Test
    void randomCallsActAsOnJavasCollections() {
        Random random = new Random(18);
        for (int round = 0; round < 150; round++) {
            String text = "m: {a: 1, b: [1, x]}\nl:\n- p\n- q:\n- [2]\ns: t\n";
            YamlEdit edit = Yaml.edit(text);
            Object value = Yaml.load(text);
            for (int i = 0; i < 6; i++) {
                long seed = random.nextLong();
                assertEquals(String.valueOf(call(new Random(seed), value)),
                        String.valueOf(call(new Random(seed), edit.map())), edit.text());
                assertEquals(value, edit.map().value(), edit.text());
                assertEquals(value, Yaml.load(edit.text()), edit.text());
            }
        }
    }

    /** Returns a copy of a value, in whose collections later calls can write. */
    private static Object copy(Object value) {
        return Yaml.load(Yaml.dump(value));
    }

    @SuppressWarnings("unchecked")
    private static Object call(Random random, Object root) {
        Object at = root;
        while (random.nextInt(3) > 0) {
            List<?> children = at instanceof Map<?, ?> map ? List.copyOf(map.keySet()) : (List<?>) at;
            if (children.isEmpty()) {
                break;
            }
            int index = random.nextInt(children.size());
            Object next = at instanceof Map<?, ?> map ? map.get(children.get(index)) : children.get(index);
            if (!(next instanceof Map || next instanceof List)) {
                break;
            }
            at = next;
        }
        Object value = copy(NEW.get(random.nextInt(NEW.size())));
        if (at instanceof Map<?, ?>) {
            Map<Object, Object> map = (Map<Object, Object>) at;
            String key = List.of("a", "m", "l", "q", "new").get(random.nextInt(5));
            return switch (random.nextInt(4)) {
                case 0 -> map.put(key, value);
                case 1 -> map.remove(key);
                case 2 -> map.containsValue(value);
                default -> {
                    map.putAll(Collections.singletonMap(key, value));
                    yield map.size();
                }
            };
        }
        List<Object> list = (List<Object>) at;
        int index = random.nextInt(list.size() + 1);
        return switch (random.nextInt(5)) {
            case 0 -> list.add(value);
            case 1 -> {
                list.add(index, value);
                yield list.size();
            }
            case 2 -> index < list.size() ? list.set(index, value) : list.contains(value);
            case 3 -> index < list.size() ? list.remove(index) : list.indexOf(value);
            default -> list.addAll(Arrays.asList(value, 3));
        };
    }
}
