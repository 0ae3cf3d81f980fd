/**
 * extprot, a compact binary format, in pure Java. {@link dev.ketch.extprot.Extprot} is the entrance;
 * {@code ketch extprot generate --lang java} makes classes of schemas.
 */
package dev.ketch.extprot;
