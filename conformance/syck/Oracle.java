import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.yecht.Data;
import org.yecht.Node;
import org.yecht.Parser;
import org.yecht.Pointer;

/**
 * Reads documents with Yecht and prints their nodes. A text comes as four bytes of length and its
 * bytes; the answer goes back in the same form: a line for each node, in preorder, or a line that
 * starts with {@code refused}.
 */
public final class Oracle {
    /** A node as the handler made it. */
    private static final class Made {
        String kind;
        String tag;
        byte[] text;
        List<Made> children = new ArrayList<>();
    }

    private static final class Refused extends RuntimeException {
        Refused(String message) {
            super(message, null, false, false);
        }
    }

    public static void main(String[] args) throws Exception {
        var in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        var out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 16));
        System.setErr(new PrintStream(java.io.OutputStream.nullOutputStream()));
        while (true) {
            int length;
            try {
                length = in.readInt();
            } catch (java.io.EOFException e) {
                return;
            }
            byte[] text = new byte[length];
            in.readFully(text);
            byte[] answer = answer(text).getBytes(StandardCharsets.ISO_8859_1);
            out.writeInt(answer.length);
            out.write(answer);
            out.flush();
        }
    }

    /**
     * Returns the answer for a text, or {@code hangs} after two seconds, since Yecht may loop
     * forever.
     */
    private static String answer(byte[] text) throws InterruptedException {
        String[] answer = {"hangs\n"};
        Thread thread = new Thread(null, () -> answer[0] = read(text), "reader", 64 << 20);
        thread.setDaemon(true);
        thread.start();
        thread.join(2000);
        return answer[0];
    }

    private static String read(byte[] text) {
        var out = new StringBuilder();
        try {
            Parser parser = Parser.newParser();
            parser.implicitTyping(true);
            parser.taguriExpansion(true);
            parser.handler((self, node) -> {
                Made made = node.id instanceof Made known ? known : new Made();
                fill(made, node);
                return made;
            });
            parser.errorHandler((self, message) -> {
                throw new Refused(message);
            });
            parser.badAnchorHandler((self, name) -> {
                Made made = new Made();
                made.kind = "bad";
                made.tag = "";
                made.text = name.getBytes(StandardCharsets.ISO_8859_1);
                Node node = org.yecht.KindTag.Str.allocNode();
                node.data = new Data.Str();
                node.id = made;
                return node;
            });
            parser.str(Pointer.create(text, 0), text.length, null);
            for (int documents = 0; documents < 1000; documents++) {
                Object root = parser.parse();
                if (parser.eof) {
                    return out.toString();
                }
                out.append("document\n");
                print((Made) root, out);
                parser.root = null;
            }
            return out.toString();
        } catch (Refused e) {
            return out + "refused " + e.getMessage() + "\n";
        } catch (Throwable e) {
            return out + "refused, broken: " + e + "\n";
        }
    }

    private static void fill(Made made, Node node) {
        made.tag = node.type_id;
        made.children.clear();
        made.text = null;
        if (node.data instanceof Data.Str text) {
            made.kind = "scalar";
            made.text = new byte[text.len];
            System.arraycopy(text.ptr.buffer, text.ptr.start, made.text, 0, text.len);
        } else if (node.data instanceof Data.Seq items) {
            made.kind = "seq";
            for (int i = 0; i < items.idx; i++) {
                made.children.add((Made) items.items[i]);
            }
        } else if (node.data instanceof Data.Map pairs) {
            made.kind = "map";
            for (int i = 0; i < pairs.idx; i++) {
                made.children.add((Made) pairs.keys[i]);
                made.children.add((Made) pairs.values[i]);
            }
        }
    }

    private static void print(Made root, StringBuilder out) {
        var seen = new IdentityHashMap<Made, Integer>();
        var work = new ArrayDeque<Object>();
        work.push(root);
        while (!work.isEmpty()) {
            Object next = work.pop();
            if (next instanceof String end) {
                out.append(end);
                continue;
            }
            Made made = (Made) next;
            Integer known = seen.putIfAbsent(made, seen.size());
            if (known != null) {
                out.append("again ").append(known).append('\n');
                continue;
            }
            out.append(made.kind).append(' ').append(tag(made));
            if (made.text != null) {
                out.append(' ');
                escape(made.text, out);
                out.append('\n');
                continue;
            }
            out.append('\n');
            work.push("end\n");
            for (int i = made.children.size() - 1; i >= 0; i--) {
                work.push(made.children.get(i));
            }
        }
    }

    private static String tag(Made made) {
        return made.tag == null ? "-" : made.tag;
    }

    private static void escape(byte[] text, StringBuilder out) {
        for (byte b : text) {
            int code = b & 255;
            if (code < 0x20 || code == '\\' || code >= 0x7f) {
                out.append(String.format("\\%02x", code));
            } else {
                out.append((char) code);
            }
        }
    }
}
