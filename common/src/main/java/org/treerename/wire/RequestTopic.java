package org.treerename.wire;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.TopicConfig;

/**
 * What the broker says of the topic {@link Topics#REQUESTS}, and whether it can be worked with.
 *
 * @param retentionMillis negative if for ever
 * @param retentionBytes of a partition; negative for no limit
 */
public record RequestTopic(String cleanupPolicy, long retentionMillis, long retentionBytes, String timestampType) {

    static final String APPENDED = "LogAppendTime";

    /** Longer than this is for ever: no clock can tell when it ends. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    /** Why it cannot: what is expected, what was found, and what mends it; empty if it can. */
    public Optional<String> problem() {
        if (policies().contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            return Optional.of(expected(
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    TopicConfig.CLEANUP_POLICY_DELETE,
                    cleanupPolicy,
                    "compaction drops requests that others with the same key follow"));
        }
        if (!timestampType.equals(APPENDED)) {
            return Optional.of(expected(
                    TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                    APPENDED,
                    timestampType,
                    "the age of a request is counted by when the log took it"));
        }
        return Optional.empty();
    }

    /** What it can be worked with and had better not be; empty if nothing. */
    public Optional<String> remark() {
        return retentionBytes < 0
                ? Optional.empty()
                : Optional.of(expected(
                        TopicConfig.RETENTION_BYTES_CONFIG,
                        "-1",
                        String.valueOf(retentionBytes),
                        "under load requests may be gone before they are read"));
    }

    private static String expected(String setting, String wanted, String found, String because) {
        return "the topic " + Topics.REQUESTS + " has " + setting + "=" + found + ", expected " + wanted + ": "
                + because
                + "; mend it with kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type topics --entity-name "
                + Topics.REQUESTS + " --add-config " + setting + "=" + wanted;
    }

    /** How long it keeps a request at least; empty if for ever. Records go for their age only where the policy is to delete. */
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
