package dev.ketch;

import java.io.IOException;

/** A file that was edited was not saved, because another program has changed it since it was read. */
public final class FileChangedException extends IOException {
    private static final long serialVersionUID = 1;

    FileChangedException(String message) {
        super(message);
    }
}
