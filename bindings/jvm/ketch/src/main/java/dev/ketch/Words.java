package dev.ketch;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names of options in errors: the core's become those of Java's classes and methods. */
final class Words {
    /** What the core says about options, and what Java says. */
    private static final Map<String, String> OPTIONS =
            Map.of("lenient", "lenient(true)", "duplicate_keys", "duplicateKeys");

    /** An option of edits. */
    private static final Pattern EDIT = Pattern.compile("`(?:alias|anchors): ([a-z]+)`");

    private static final Pattern OPTION = Pattern.compile("[Tt]he option `([a-z_]+)`");

    private static final Pattern LIMIT = Pattern.compile("`(max_[a-z_]+)`");

    private Words() {}

    /** Returns advice in words of Java. */
    static String help(String help) {
        if (help == null) {
            return null;
        }
        String ours = EDIT.matcher(help.replace("`write_through: true`", "`YamlEdit.saveInPlace()`"))
                .replaceAll(found -> "`EditOption." + found.group(1).toUpperCase(Locale.ROOT) + "`");
        String words = OPTION.matcher(ours).replaceAll(found -> {
            String method = OPTIONS.get(found.group(1));
            return Matcher.quoteReplacement(
                    method == null ? found.group() : "`Options.builder()." + method + "`");
        });
        return LIMIT.matcher(words).replaceAll(found -> {
            String name = limit(found.group(1));
            return Matcher.quoteReplacement(name == null ? found.group() : "`Limit." + name + "`");
        });
    }

    /** Returns the message of an error with its help, which comes last, in words of Java. */
    static String message(Failure failure) {
        String message = failure.message();
        String help = failure.help();
        return help == null || !message.endsWith(help)
                ? message : message.substring(0, message.length() - help.length()) + help(help);
    }

    /**
     * Returns the name of the constant of {@link Limit} for a name in the core, or the name of a setting of {@link
     * Query}; null if there is none.
     */
    static @Nullable String limit(@Nullable String setting) {
        for (Limit limit : Limit.values()) {
            if (setting != null && limit.name().equals(setting.toUpperCase(Locale.ROOT))) {
                return limit.name();
            }
        }
        return setting != null && Query.LIMITS.contains(setting) ? setting : null;
    }
}
