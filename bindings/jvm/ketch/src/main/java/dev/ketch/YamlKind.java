package dev.ketch;

import java.lang.annotation.*;

/**
 * The key whose value says which class of a sealed interface or class a mapping becomes. Without this
 * annotation, a tag says it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE})
public @interface YamlKind {
    /**
     * Returns the key, such as {@code type}.
     *
     * @return the key
     */
    String value();
}
