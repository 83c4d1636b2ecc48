package org.treerename.wire;

/** The names of the topics. */
public final class Topics {

    /** Requests; its time stamps are the broker's (LogAppendTime), because age is counted by them. */
    public static final String REQUESTS = "rename.requests";

    /** Outcomes, keyed by request id. */
    public static final String OUTCOMES = "rename.outcomes";

    /** Records of the request topic that no outcome can answer, or that failed for what would fail them again. */
    public static final String DEAD_LETTERS = "rename.requests-dlt";

    /** How far renames have come that move many documents, keyed by request id; nothing depends on it. */
    public static final String PROGRESS = "rename.progress";

    private Topics() {}
}
