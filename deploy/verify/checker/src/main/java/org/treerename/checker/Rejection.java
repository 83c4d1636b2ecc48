package org.treerename.checker;

import java.util.Locale;

/**
 * The reasons to reject a rename. If several reasons apply, the outcome contains the first reason in the order of this
 * enum.
 */
public enum Rejection {
    INVALID_PATH,
    INTO_ITSELF,
    SOURCE_NOT_FOUND,
    ANCESTOR_IS_A_FILE,
    DESTINATION_PARENT_NOT_FOUND,
    DESTINATION_EXISTS,
    IS_A_DIRECTORY,
    NOT_A_DIRECTORY,
    DESTINATION_NOT_EMPTY;

    /** Returns the name in lower case. Outcomes contain the reason in this form. */
    public String published() {
        return name().toLowerCase(Locale.ROOT);
    }
}
