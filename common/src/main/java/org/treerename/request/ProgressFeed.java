package org.treerename.request;

/** Receives the progress reports of decided renames. */
public interface ProgressFeed {

    /** Reports progress. Returns at once and never throws. The report may be lost. */
    void report(RenameProgress progress);
}
