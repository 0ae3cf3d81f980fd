package dev.ketch.extprot;

/** A generated class that can be printed by {@link Extprot#pretty}. */
public interface Printable {
    /**
     * Prints the value.
     *
     * @param out the printer
     */
    void print(Printer out);
}
