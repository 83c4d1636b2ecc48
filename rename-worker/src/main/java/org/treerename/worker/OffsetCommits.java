package org.treerename.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.worker.Assignment.Progress;

/**
 * Commits the offsets of partitions. The committed offset of a partition is the offset of its first request that has
 * not ended. The metadata of a commit names the later requests that have ended ({@link EndedRecords}). Only one thread
 * calls this class.
 *
 * <p>The loop waits for a commit only when partitions are revoked and when the loop ends. Only one commit is in
 * progress at a time, so that an earlier commit never replaces a later commit. A failed commit does no harm, because
 * the next commit includes the same offsets. If the process dies before the next commit, Kafka delivers the records
 * again. A worker then answers their requests from the journal. A fenced process commits nothing, not even when its
 * consumer closes.
 */
final class OffsetCommits {

    private static final Logger log = LoggerFactory.getLogger(OffsetCommits.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** The shortest time between two commits. Each commit is a write that the brokers replicate. */
    private static final Duration BETWEEN = Duration.ofMillis(200);

    /** Limits the number of failed commits and of log lines while Kafka does not answer. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);

    /** The maximum time of a poll during a commit. It is short, because the next poll receives the answer. */
    private static final Duration ANSWER = Duration.ofMillis(20);

    private final Consumer<byte[], byte[]> consumer;
    private final Poller poller;
    private final StopSignal stop;
    private final Runnable beforeCommit;
    private final Time time;
    private boolean underWay;
    private long sentNanos;
    private Duration pause = BETWEEN;
    private int longestText = EndedRecords.LONGEST_TEXT;

    /** @param beforeCommit the callback before each commit */
    OffsetCommits(Consumer<byte[], byte[]> consumer, Poller poller, StopSignal stop, Runnable beforeCommit, Time time) {
        this.consumer = consumer;
        this.poller = poller;
        this.stop = stop;
        this.beforeCommit = beforeCommit;
        this.time = time;
        this.sentNanos = time.nanos();
    }

    /**
     * Returns the records behind the committed offsets of these partitions that earlier owners have ended. If Kafka
     * does not answer, no record counts as ended.
     */
    Map<TopicPartition, EndedRecords> endedBefore(Collection<TopicPartition> partitions) {
        Map<TopicPartition, EndedRecords> ended = new HashMap<>();
        try {
            poller.committed(Set.copyOf(partitions), TIMEOUT).forEach((partition, committed) -> {
                if (committed != null) {
                    ended.put(partition, EndedRecords.of(committed));
                }
            });
        } catch (KafkaException e) {
            log.warn(
                    "cannot read which requests of {} have ended: {}; this worker processes them again",
                    partitions,
                    e.toString());
        }
        return ended;
    }

    /** Sends a commit for these partitions if a commit is due. A later poll receives the answer. */
    void sendIfDue(Collection<Assignment> assignments) {
        if (underWay || !untilDue().isZero()) {
            return;
        }
        Map<Assignment, Progress> positions = uncommitted(assignments);
        if (positions.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = offsets(positions);
        beforeCommit.run();
        sentNanos = time.nanos();
        underWay = true;
        try {
            consumer.commitAsync(offsets, (committed, failure) -> answered(positions, failure));
        } catch (KafkaException e) {
            answered(positions, e);
        }
    }

    private void answered(Map<Assignment, Progress> positions, @Nullable Exception failure) {
        underWay = false;
        pause = failure == null ? BETWEEN : AFTER_FAILURE;
        if (failure == null) {
            positions.forEach(Assignment::committed);
        } else {
            logFailure(positions, failure, "the next commit includes these offsets");
        }
    }

    /** Commits the offsets of these partitions, and blocks until Kafka has answered. */
    void commitNow(Collection<Assignment> assignments) {
        Map<Assignment, Progress> positions = uncommitted(assignments);
        if (positions.isEmpty()) {
            return;
        }
        beforeCommit.run();
        try {
            poller.commitSync(offsets(positions), TIMEOUT);
            positions.forEach(Assignment::committed);
        } catch (KafkaException e) {
            logFailure(positions, e, "Kafka delivers the last records before these offsets again");
        }
    }

    private void logFailure(Map<Assignment, Progress> positions, Exception failure, String consequence) {
        if (failure instanceof OffsetMetadataTooLarge) {
            longestText = 0; // this Kafka accepts no metadata of this length, and would refuse each commit
        }
        log.warn("cannot commit the offsets {}: {}; {}", offsets(positions), failure.toString(), consequence);
    }

    /** Returns the time for which the loop may wait before it calls {@link #sendIfDue} again; at most the limit. */
    Duration patience(Collection<Assignment> assignments, Duration limit) {
        if (uncommitted(assignments).isEmpty()) {
            return limit;
        }
        Duration next = underWay ? ANSWER : untilDue();
        return next.compareTo(limit) < 0 ? next : limit;
    }

    private Duration untilDue() {
        Duration left = pause.minusNanos(time.nanos() - sentNanos);
        return left.isPositive() ? left : Duration.ZERO;
    }

    private Map<Assignment, Progress> uncommitted(Collection<Assignment> assignments) {
        Map<Assignment, Progress> positions = new HashMap<>();
        if (!stop.isAbandoned()) {
            assignments.forEach(
                    assignment -> assignment.uncommitted().ifPresent(progress -> positions.put(assignment, progress)));
        }
        return positions;
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets(Map<Assignment, Progress> positions) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        positions.forEach((assignment, progress) -> offsets.put(
                assignment.partition(),
                new OffsetAndMetadata(
                        progress.position(),
                        assignment.queue().epochBeforePosition(),
                        assignment.queue().endedRecords().text(progress.position(), longestText))));
        return offsets;
    }
}
