package dev.ketch;

import java.lang.annotation.*;

/** Marks a map that gets the entries for which there is no component or property. Without it, they are errors. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.METHOD})
public @interface YamlRest {}
