package dev.ketch;

/**
 * How values become Ruby objects.
 *
 * @param isSymbolized whether keys that are text become symbols
 * @param isFrozen whether all objects are frozen
 */
public record RubyForm(boolean isSymbolized, boolean isFrozen) {}
