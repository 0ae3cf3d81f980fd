package dev.ketch;

import java.lang.annotation.*;

/** The value of a component or property without a key, in YAML. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.METHOD})
public @interface YamlDefault {
    /**
     * Returns the value, such as {@code 8080} or {@code [a, b]}.
     *
     * @return the value
     */
    String value();
}
