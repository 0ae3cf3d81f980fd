/**
 * YAML 1.2 for Java, by the native engine of Ketch.
 *
 * <p>{@link dev.ketch.Yaml} loads values; {@link dev.ketch.YamlParser} reads events.
 */
package dev.ketch;
