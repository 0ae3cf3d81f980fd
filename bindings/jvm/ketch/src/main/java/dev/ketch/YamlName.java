package dev.ketch;

import java.lang.annotation.*;

/** The name of a component, property or constant in YAML, or of the class in a tag or a kind. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.METHOD})
public @interface YamlName {
    /**
     * Returns the name.
     *
     * @return the name
     */
    String value();
}
