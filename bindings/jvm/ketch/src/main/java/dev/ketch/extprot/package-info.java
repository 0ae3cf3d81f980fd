/**
 * extprot, a compact binary format, in pure Java. Start with {@link dev.ketch.extprot.Extprot};
 * {@code ketch extprot generate --lang java} generates classes from schemas.
 */
@NullMarked
package dev.ketch.extprot;

import org.jspecify.annotations.NullMarked;
