package org.treerename.checker;

import java.util.Locale;

/** Why the tree does not take a rename, in the order in which reasons are told. */
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

    /** As outcomes say it: in lower case. */
    public String published() {
        return name().toLowerCase(Locale.ROOT);
    }
}
