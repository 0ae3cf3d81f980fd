package dev.ketch;

import org.jspecify.annotations.Nullable;

/**
 * Where a part of a value is written.
 *
 * @param file the name of the input, or null
 * @param line counted from 1
 * @param column in characters (Unicode scalar values), counted from 1
 * @param offset from the start of the input's UTF-8 form, in bytes
 * @param length in bytes
 * @param lineText the text of the line
 */
public record Position(@Nullable String file, long line, long column, long offset, long length, String lineText) {
    /**
     * Returns the line with a caret under the part.
     *
     * @return two lines
     */
    public String excerpt() {
        StringBuilder excerpt = new StringBuilder(lineText).append('\n');
        // Tabs keep their width.
        lineText.codePoints().limit(column - 1).forEach(
                character -> excerpt.append(character == '\t' ? '\t' : ' '));
        return excerpt.append('^').toString();
    }

    /**
     * Returns the location as messages show it.
     *
     * @return {@code file:line:column}, or without a file {@code line:column}
     */
    @Override
    public String toString() {
        return (file == null ? "" : file + ":") + line + ":" + column;
    }
}
