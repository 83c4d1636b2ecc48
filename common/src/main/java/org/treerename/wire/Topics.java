package org.treerename.wire;

/** The names of the topics. */
public final class Topics {

    /** Requests. The broker sets their time stamps (LogAppendTime), because the age of a request is measured by them. */
    public static final String REQUESTS = "rename.requests";

    /** Outcomes, keyed by request id. */
    public static final String OUTCOMES = "rename.outcomes";

    /** Records of the request topic that no outcome can answer, or that failed for a cause that would make them fail again. */
    public static final String DEAD_LETTERS = "rename.requests-dlt";

    /** The progress of renames that move many documents, keyed by request id. Nothing depends on it. */
    public static final String PROGRESS = "rename.progress";

    private Topics() {}
}
