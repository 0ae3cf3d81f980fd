package dev.ketch;

/**
 * An edit that was refused: the text is as it was before. {@link #name()} is the kind, such as {@code
 * not-found}; docs/editing.md lists the kinds. The kind {@code stale-view} means that an edit has
 * deleted, moved or replaced the collection of a view.
 */
public final class EditException extends YamlException {
    private static final long serialVersionUID = 1;

    EditException(Failure failure) {
        super(failure);
    }

    static EditException stale(String message) {
        return new EditException(new Failure("edit", message, message, "stale-view",
                "Get the view again.", null, 0, 0, 0, 0, "", 0, 0));
    }
}
