package dev.ketch.jruby;

import dev.ketch.Composition;
import dev.ketch.Files;
import dev.ketch.Nodes;
import dev.ketch.Panics;
import dev.ketch.RubyLoader;
import dev.ketch.YamlException;
import java.io.IOException;
import java.util.List;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyModule;
import org.jruby.RubyNumeric;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** The methods of {@code Ketch} that the extension of CRuby defines. */
public final class Ketch {
    private Ketch() {}

    /** Defines the methods. */
    public static void define(Ruby runtime) {
        RubyModule ketch = runtime.defineModule("Ketch");
        try {
            ketch.dataWrapStruct(new RubyLoader());
        } catch (LinkageError missing) {
            // As on CRuby, which needs the extension: `ketch/extprot` then uses pure Ruby.
            throw runtime.newLoadError(missing.getMessage());
        }
        ketch.defineAnnotatedMethods(Ketch.class);
        ketch.defineAnnotatedMethods(PsychMethods.class);
        ketch.defineAnnotatedMethods(SyckMethods.class);
        Guarded.replaceMethods(ketch.getSingletonClass());
        ExtprotMethods.define(runtime, ketch);
        Document.define(runtime, ketch);
        QueryProgram.define(runtime, ketch);
        Regexp.define(runtime, ketch);
    }

    /** Implements {@code Ketch.load(source, **options)}: returns the value of the only document. */
    @JRubyMethod(meta = true, required = 1, optional = 1)
    public static IRubyObject load(ThreadContext context, IRubyObject self, IRubyObject[] args) {
        LoadOptions options = LoadOptions.of(context, args);
        if (options.hasPositions()) {
            return self.callMethod(context, "locate", args);
        }
        ByteList text = Source.text(context, args[0]);
        try {
            List<Object> values =
                    loader(context).load(context, text, options.options(), options.form(), true);
            return values.isEmpty() ? context.nil : (IRubyObject) values.get(0);
        } catch (YamlException error) {
            throw Failures.raised(context, error, options);
        }
    }

    /**
     * Implements {@code Ketch.load_stream(source, **options)}: returns the values of all documents.
     */
    @JRubyMethod(name = "load_stream", meta = true, required = 1, optional = 1)
    public static IRubyObject loadStream(
            ThreadContext context, IRubyObject self, IRubyObject[] args) {
        LoadOptions options = LoadOptions.of(context, args);
        if (options.hasPositions()) {
            return self.callMethod(context, "locate_stream", args);
        }
        ByteList text = Source.text(context, args[0]);
        try {
            List<Object> values =
                    loader(context).load(context, text, options.options(), options.form(), false);
            RubyArray<?> array = context.runtime.newArray(values.size());
            values.forEach(value -> array.append((IRubyObject) value));
            return array;
        } catch (YamlException error) {
            throw Failures.raised(context, error, options);
        }
    }

    /**
     * Implements {@code Ketch.stream_documents(io, **options) { |value| }}: yields them one by one.
     */
    @JRubyMethod(name = "stream_documents", meta = true, required = 1, optional = 1)
    public static IRubyObject streamDocuments(
            ThreadContext context, IRubyObject self, IRubyObject[] args, Block block) {
        LoadOptions options = LoadOptions.of(context, args);
        try {
            if (options.hasPositions()) {
                locate(context, self, args[0], options, block);
                return context.nil;
            }
            loader(context).forEach(context, Source.stream(context, args[0]), options.options(),
                    options.form(), value -> block.yield(context, (IRubyObject) value));
        } catch (YamlException error) {
            throw Failures.raised(context, error, options);
        } catch (IOException error) {
            throw context.runtime.newIOErrorFromException(error);
        }
        return context.nil;
    }

    /** Implements {@code Ketch.stream_events(source, options) { |event| }}. */
    @JRubyMethod(name = "stream_events", meta = true, required = 1, optional = 1)
    public static IRubyObject streamEvents(
            ThreadContext context, IRubyObject self, IRubyObject[] args, Block block) {
        LoadOptions options = LoadOptions.of(context, args);
        ByteList text = Source.text(context, args[0]);
        try {
            Events.give(context, text.bytes(), options, block);
        } catch (YamlException error) {
            throw Failures.raised(context, error, options);
        }
        return context.nil;
    }

    /** Implements {@code Ketch.generate(value, **options)}: returns a document. */
    @JRubyMethod(meta = true, required = 1, optional = 1)
    public static IRubyObject generate(ThreadContext context, IRubyObject self, IRubyObject[] args) {
        return Dump.text(context, new IRubyObject[] {args[0]}, args);
    }

    /**
     * Implements {@code Ketch.generate_stream(values, options)}: returns a document for each value.
     */
    @JRubyMethod(name = "generate_stream", meta = true, required = 1, optional = 1)
    public static IRubyObject generateStream(
            ThreadContext context, IRubyObject self, IRubyObject[] args) {
        return Dump.text(context, args[0].convertToArray().toJavaArray(), args);
    }

    /** Implements {@code Ketch.parse_stream(source, **options)}: returns all documents. */
    @JRubyMethod(name = "parse_stream", meta = true, required = 1, optional = 1)
    public static IRubyObject parseStream(
            ThreadContext context, IRubyObject self, IRubyObject[] args) {
        return parse(context, args, Integer.MAX_VALUE);
    }

    /** Implements {@code Ketch.parse_two(source, **options)}: returns the first two documents. */
    @JRubyMethod(name = "parse_two", meta = true, required = 1, optional = 1)
    public static IRubyObject parseTwo(ThreadContext context, IRubyObject self, IRubyObject[] args) {
        return parse(context, args, 2);
    }

    /** Implements {@code Ketch.plant_panic(count)}, for tests. A call of this passes a point, too. */
    @JRubyMethod(name = "plant_panic", meta = true)
    public static IRubyObject plantPanic(ThreadContext context, IRubyObject self, IRubyObject count) {
        long left = Panics.plant(RubyNumeric.num2long(count));
        return context.runtime.newFixnum(Math.max(left - 1, 0));
    }

    static RubyLoader loader(ThreadContext context) {
        return (RubyLoader) context.runtime.getModule("Ketch").dataGetStruct();
    }

    private static IRubyObject parse(ThreadContext context, IRubyObject[] args, int most) {
        LoadOptions options = LoadOptions.of(context, args);
        ByteList text = Source.text(context, args[0]);
        try {
            RubyArray<?> documents = context.runtime.newArray();
            for (Nodes nodes : Composition.of(text.unsafeBytes(), text.begin(), text.realSize(),
                    options.options(), most)) {
                documents.append(Document.of(context, nodes, options));
            }
            return documents;
        } catch (YamlException error) {
            throw Failures.raised(context, error, options);
        }
    }

    /**
     * {@code Ketch.replace_file(path, name, content)}: nil, or the reason why the file is left
     * unchanged.
     */
    @JRubyMethod(name = "replace_file", meta = true)
    public static IRubyObject replaceFile(ThreadContext context, IRubyObject self,
            IRubyObject path, IRubyObject name, IRubyObject content) {
        byte[] file = path.convertToString().getBytes();
        try {
            String reason = Files.replace(
                    file, name.convertToString().getBytes(), content.convertToString().getBytes());
            return reason == null
                    ? context.nil
                    : context.runtime.newString(path.asJavaString() + " is left as it is: " + reason);
        } catch (Files.SystemError error) {
            throw Failures.system(context, path, error.number());
        }
    }

    /**
     * Implements {@code Ketch.define_edit}: defines {@code Ketch::Edit}. lib/ketch/edit.rb calls this.
     */
    @JRubyMethod(name = "define_edit", meta = true)
    public static IRubyObject defineEdit(ThreadContext context, IRubyObject self) {
        Edit.define(context.runtime, (RubyModule) self);
        return context.nil;
    }

    /** Yields each document of a stream with the positions of its parts. */
    private static void locate(ThreadContext context, IRubyObject self, IRubyObject source,
            LoadOptions options, Block block) throws IOException {
        IRubyObject file = options.fileName() == null
                ? context.nil : context.runtime.newString(options.fileName());
        Composition.forEach(Source.stream(context, source), options.options(), nodes -> {
            IRubyObject[] parts = {Document.of(context, nodes, options), file};
            block.yield(context, self.callMethod(context, "located", parts));
        });
    }

    static RuntimeException missing(ThreadContext context, String what) {
        return context.runtime.newNotImplementedError("Ketch on JRuby has no " + what + " yet");
    }
}
