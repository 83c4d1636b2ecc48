package org.treerename.rename;

/** What a rename does where its destination exists. */
public enum OnExisting {
    FAIL,
    /** A file may replace a file, a directory an empty directory, as POSIX rename does. */
    REPLACE
}
