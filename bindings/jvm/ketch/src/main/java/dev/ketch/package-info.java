/**
 * YAML 1.2 for Java, by the native engine of Ketch.
 *
 * <p>{@link dev.ketch.Yaml} loads values; {@link dev.ketch.YamlParser} reads events.
 */
@NullMarked
package dev.ketch;

import org.jspecify.annotations.NullMarked;
