/** What the packages of Ketch share. Not exported. */
@NullMarked
package dev.ketch.internal;

import org.jspecify.annotations.NullMarked;
