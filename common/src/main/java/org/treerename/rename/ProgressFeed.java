package org.treerename.rename;

/** Where progress is told to whoever listens. */
public interface ProgressFeed {

    /** Returns at once and never throws; whether anybody hears of it is not known. */
    void tell(RenameProgress progress);
}
