package org.treerename.request;

/** The behaviour of a rename if its destination exists. */
public enum OnExisting {
    FAIL,
    /** A file may replace a file, and a directory may replace an empty directory, as in the POSIX function rename. */
    REPLACE
}
