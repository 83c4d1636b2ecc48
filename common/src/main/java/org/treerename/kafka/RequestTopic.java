package org.treerename.kafka;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.TopicConfig;
import org.treerename.installation.Installation;

/**
 * The settings of the topic {@link Installation#requests}, as the broker reports them.
 *
 * @param name the name of the topic
 * @param retentionMillis the retention time in milliseconds; negative for no limit
 * @param retentionBytes the maximum size of a partition in bytes; negative for no limit
 */
public record RequestTopic(
        String name, String cleanupPolicy, long retentionMillis, long retentionBytes, String timestampType) {

    static final String APPENDED = "LogAppendTime";

    /** A longer retention is treated as unlimited, because a calculation with it can exceed the range of times. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    /** Returns the reason why this program cannot use the topic, and the correction; empty if the topic is usable. */
    public Optional<String> problem() {
        if (policies().contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            return Optional.of(expected(
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    TopicConfig.CLEANUP_POLICY_DELETE,
                    cleanupPolicy,
                    "compaction deletes a request if a later request has the same key"));
        }
        if (!timestampType.equals(APPENDED)) {
            return Optional.of(expected(
                    TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                    APPENDED,
                    timestampType,
                    "the age of a request is measured from the time at which the broker appended it"));
        }
        return Optional.empty();
    }

    /** Returns a warning about a setting that is usable but should be changed; empty if there is no such setting. */
    public Optional<String> remark() {
        return retentionBytes < 0
                ? Optional.empty()
                : Optional.of(expected(
                        TopicConfig.RETENTION_BYTES_CONFIG,
                        "-1",
                        String.valueOf(retentionBytes),
                        "under load, Kafka may delete requests before a worker reads them"));
    }

    private String expected(String setting, String wanted, String found, String because) {
        return "the topic " + name + " has " + setting + "=" + found + ", expected " + wanted + ": "
                + because
                + "; correct the setting with kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type"
                + " topics --entity-name " + name + " --add-config " + setting + "=" + wanted;
    }

    /**
     * Returns the minimum time for which the topic keeps a request; empty if the topic keeps requests for ever. Only
     * the cleanup policy delete deletes records by age.
     */
    public Optional<Duration> kept() {
        boolean forEver = !policies().contains(TopicConfig.CLEANUP_POLICY_DELETE)
                || retentionMillis < 0
                || retentionMillis > LONGEST.toMillis();
        return forEver ? Optional.empty() : Optional.of(Duration.ofMillis(retentionMillis));
    }

    private List<String> policies() {
        return Arrays.stream(cleanupPolicy.split(",")).map(String::strip).toList();
    }
}
