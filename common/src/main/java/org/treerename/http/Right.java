package org.treerename.http;

import java.util.Locale;

/** A right of a caller. Each right includes {@link #READ}. */
public enum Right {
    /** The right to read renames, trees and the state of the system. */
    READ,
    /** The right to request, cancel and undo renames. */
    RENAME,
    /** The right to act as an operator, for example to fence a process. */
    OPERATE;

    /** Returns the name of the right in a file of tokens, for example {@code read}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
