package org.treerename.installation;

import java.util.regex.Pattern;

/**
 * One installation: all programs that share topics, a consumer group and a control index. The names of the topics, the
 * group and the index begin with the prefix of the installation. So several installations with different prefixes can
 * use the same Kafka and the same Elasticsearch.
 *
 * <p>A prefix is a DNS label. In each name, a dot follows the prefix. Names with a prefix are valid for topics of
 * Kafka, for indices of Elasticsearch, and for objects of Kubernetes. Two different prefixes never result in the same
 * name. A prefix contains no dot, so a pattern such as {@code blue.*} matches only the names of one installation.
 *
 * @param prefix the beginning of each name, without the dot; empty for names without a prefix
 */
public record Installation(String prefix) {

    /** The installation without a prefix. */
    public static final Installation DEFAULT = new Installation("");

    private static final int MOST_CHARACTERS = 63;
    private static final Pattern VALID = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");
    private static final String SEPARATOR = ".";
    private static final String CONTROL_INDEX = "tree-rename-control";

    public Installation {
        if (!prefix.isEmpty()
                && (prefix.length() > MOST_CHARACTERS || !VALID.matcher(prefix).matches())) {
            throw new IllegalArgumentException("the prefix must have 1 to " + MOST_CHARACTERS
                    + " characters of a-z, 0-9 and hyphens, and must begin and end with a letter or a digit, was \""
                    + prefix + "\"");
        }
    }

    /**
     * Returns the name of the topic of the requests. The broker sets the time stamps of the records in this topic
     * (LogAppendTime). These time stamps define the age of a request.
     */
    public String requests() {
        return named("rename.requests");
    }

    /** Returns the name of the topic of the outcomes. The keys of the outcomes are the request ids. */
    public String outcomes() {
        return named("rename.outcomes");
    }

    /**
     * Returns the name of the topic with the progress of renames that move many documents. The keys of the records are
     * the request ids. No program depends on this topic.
     */
    public String progress() {
        return named("rename.progress");
    }

    /**
     * Returns the name of the topic of the dead letters. A dead letter is the copy of a record. Either no outcome can
     * answer the record, or the request in the record would fail again for the same cause.
     */
    public String deadLetters() {
        return named("rename.requests-dlt");
    }

    /** Returns the default name of the consumer group of the workers. */
    public String workers() {
        return named("rename-workers");
    }

    /** Returns the name of the control index. */
    public String controlIndex() {
        return named(CONTROL_INDEX);
    }

    /** Returns whether {@code index} is the name of the control index of any installation. */
    public static boolean isControlIndex(String index) {
        return index.equals(CONTROL_INDEX) || index.endsWith(SEPARATOR + CONTROL_INDEX);
    }

    /** Adds the prefix of this installation to a name. */
    public String named(String name) {
        return prefix.isEmpty() ? name : prefix + SEPARATOR + name;
    }

    @Override
    public String toString() {
        return prefix.isEmpty() ? "the installation without a prefix" : "the installation " + prefix;
    }
}
