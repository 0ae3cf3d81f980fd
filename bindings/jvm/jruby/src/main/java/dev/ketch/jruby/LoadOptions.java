package dev.ketch.jruby;

import dev.ketch.Dialect;
import dev.ketch.DuplicateKeys;
import dev.ketch.Limit;
import dev.ketch.Options;
import dev.ketch.RubyForm;
import dev.ketch.Schema;
import java.util.Arrays;
import java.util.Locale;
import org.jruby.RubyArray;
import org.jruby.RubyFloat;
import org.jruby.RubyHash;
import org.jruby.RubyInteger;
import org.jruby.RubyString;
import org.jruby.RubySymbol;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** Keyword arguments, named as in the core. */
final class LoadOptions {
    private Options.Builder builder;
    private String fileName;
    private boolean isSymbolized;
    private boolean isFrozen;
    private boolean hasPositions;

    private LoadOptions() {}

    /** Returns the options of a call, after its source. */
    static LoadOptions of(ThreadContext context, IRubyObject[] args) {
        LoadOptions options = new LoadOptions();
        if (args.length > 1) {
            if (!(args[1] instanceof RubyHash hash)) {
                throw context.runtime.newArgumentError(args.length, 1);
            }
            for (Object entry : hash.directEntrySet()) {
                var pair = (java.util.Map.Entry<?, ?>) entry;
                options.set(context, name((IRubyObject) pair.getKey()), (IRubyObject) pair.getValue());
            }
        }
        return options;
    }

    static String name(IRubyObject key) {
        return key instanceof RubySymbol symbol ? symbol.idString() : key.asJavaString();
    }

    private void set(ThreadContext context, String name, IRubyObject value) {
        if (builder == null) {
            builder = Options.builder();
        }
        switch (name) {
            case "schema" -> builder.schema(schema(context, value));
            case "duplicate_keys" -> builder.duplicateKeys(duplicateKeys(context, value));
            case "merge" -> {
                if (!value.isNil()) {
                    builder.merge(value.isTrue());
                }
            }
            case "dialect" -> builder.dialect(dialect(context, value));
            case "lenient" -> builder.lenient(value.isTrue());
            case "final_break" -> builder.finalBreak(value.isTrue());
            case "symbolize_names" -> isSymbolized = value.isTrue();
            case "freeze" -> isFrozen = value.isTrue();
            case "positions" -> hasPositions = value.isTrue();
            case "filename" -> {
                if (!value.isNil()) {
                    fileName = value.convertToString().decodeString();
                    builder.fileName(fileName);
                }
            }
            default -> limit(context, name, value);
        }
    }

    /** Returns the exception for an unknown keyword of a method of {@code Ketch}. */
    static RuntimeException unknown(ThreadContext context, String method, String name) {
        IRubyObject[] facts = {context.runtime.newString(method), context.runtime.newString(name)};
        IRubyObject message =
                context.runtime.getModule("Ketch").callMethod(context, "unknown_keyword", facts);
        return context.runtime.newArgumentError(message.asJavaString());
    }

    private void limit(ThreadContext context, String name, IRubyObject value) {
        Limit limit = Arrays.stream(Limit.values())
                .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(name)).findFirst()
                .orElseThrow(() -> unknown(context, "load", name));
        if (!(value instanceof RubyArray<?> parts)) {
            builder.limit(limit, count(context, name, value));
            return;
        }
        if (parts.size() != 2) {
            throw wrongLimit(context, name);
        }
        long base = count(context, name, parts.eltOk(0));
        long perKib = count(context, name, parts.eltOk(1));
        try {
            builder.limit(limit, base, perKib);
        } catch (IllegalArgumentException doesNotGrow) {
            throw wrongLimit(context, name);
        }
    }

    private static long count(ThreadContext context, String name, IRubyObject value) {
        if (value instanceof RubyInteger integer && integer.getBigIntegerValue().signum() >= 0
                && integer.getBigIntegerValue().bitLength() <= 64) {
            return integer.getBigIntegerValue().bitLength() < 64
                    ? integer.getBigIntegerValue().longValue() : Long.MAX_VALUE;
        }
        if (value instanceof RubyFloat number && number.getValue() == Double.POSITIVE_INFINITY) {
            return Long.MAX_VALUE;
        }
        throw wrongLimit(context, name);
    }

    private static RuntimeException wrongLimit(ThreadContext context, String name) {
        return context.runtime.newArgumentError(name + ": expected a number, Float::INFINITY, or"
                + " [base, extra per KiB of input] for a budget");
    }

    private static Schema schema(ThreadContext context, IRubyObject value) {
        String name = word(context, "schema", value);
        for (Schema schema : Schema.values()) {
            if (schema.name().toLowerCase(Locale.ROOT).equals(name)) {
                return schema;
            }
        }
        throw context.runtime.newArgumentError(
                "schema: expected one of :core, :json, :failsafe, :yaml11, :syck");
    }

    private static Dialect dialect(ThreadContext context, IRubyObject value) {
        return switch (word(context, "dialect", value)) {
            case "yaml" -> Dialect.YAML;
            case "syck" -> Dialect.SYCK;
            default -> throw context.runtime.newArgumentError("dialect: expected :yaml or :syck");
        };
    }

    private static DuplicateKeys duplicateKeys(ThreadContext context, IRubyObject value) {
        return switch (word(context, "duplicate_keys", value)) {
            case "error" -> DuplicateKeys.ERROR;
            case "first" -> DuplicateKeys.FIRST;
            case "last" -> DuplicateKeys.LAST;
            default -> throw context.runtime.newArgumentError(
                    "duplicate_keys: expected one of :error, :first, :last");
        };
    }

    static String word(ThreadContext context, String option, IRubyObject value) {
        if (value instanceof RubySymbol || value instanceof RubyString) {
            return value.asJavaString();
        }
        throw context.runtime.newTypeError(
                option + ": expected a Symbol, not " + value.getMetaClass().getRealClass().getName());
    }

    Options options() {
        return builder == null ? Options.DEFAULT : builder.build();
    }

    String fileName() {
        return fileName;
    }

    RubyForm form() {
        return new RubyForm(isSymbolized, isFrozen);
    }

    boolean hasPositions() {
        return hasPositions;
    }
}
