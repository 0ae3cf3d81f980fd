/**
 * YAML for Jackson: {@link dev.ketch.jackson.KetchYamlMapper} reads and writes classes,
 * {@link dev.ketch.jackson.KetchYamlFactory} creates its parsers and generators.
 */
@NullMarked
package dev.ketch.jackson;

import org.jspecify.annotations.NullMarked;
