package org.treerename.request;

/** The receiver of progress reports. */
public interface ProgressFeed {

    /** Reports progress. Returns at once and never throws. The report may be lost. */
    void report(RenameProgress progress);
}
