package org.treerename.producer.direct;

import java.time.Duration;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticTreeStore.Limits;
import org.treerename.process.Lease;
import org.treerename.runtime.Durations;

/**
 * The settings of {@link DirectRenames}.
 *
 * @param elasticsearch the connection to Elasticsearch, and the installation whose locks and journal the renames use
 * @param lease the time without a heartbeat after which other processes treat this process as dead. Use the lease of
 *     the workers and janitors
 * @param lockWait the longest time that a rename waits for locks that other requests hold
 * @param grace the time that the end of the process may take, at least 1 s. After this time, a janitor finishes the
 *     decided renames
 * @param limits the limits of one read and of one bulk request
 */
public record DirectSettings(
        Elastic.Settings elasticsearch, Lease lease, Duration lockWait, Duration grace, Limits limits) {

    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);
    public static final Duration DEFAULT_LOCK_WAIT = Duration.ofMinutes(2);
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);

    private static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofDays(1);

    public DirectSettings {
        Durations.requireBetween("lockWait", Duration.ZERO, LONGEST, lockWait);
        Durations.requireBetween("grace", Duration.ofSeconds(1), LONGEST, grace);
    }

    /**
     * Returns the default settings, for an installation without a prefix.
     *
     * @param urls the URLs of Elasticsearch, separated by commas
     */
    public static DirectSettings of(String urls) {
        return of(Elastic.Settings.of(urls, DEFAULT_REQUEST_TIMEOUT));
    }

    /** Returns the default settings with this connection. */
    public static DirectSettings of(Elastic.Settings elasticsearch) {
        return new DirectSettings(
                elasticsearch, new Lease(DEFAULT_LEASE), DEFAULT_LOCK_WAIT, DEFAULT_GRACE, Limits.DEFAULT);
    }

    public DirectSettings withLease(Duration length) {
        return new DirectSettings(elasticsearch, new Lease(length), lockWait, grace, limits);
    }

    public DirectSettings withLockWait(Duration longest) {
        return new DirectSettings(elasticsearch, lease, longest, grace, limits);
    }

    public DirectSettings withGrace(Duration length) {
        return new DirectSettings(elasticsearch, lease, lockWait, length, limits);
    }

    /** Returns a copy of these settings with the given maximum number of documents in one page. */
    public DirectSettings withPageSize(int documents) {
        return new DirectSettings(elasticsearch, lease, lockWait, grace, limits.withDocuments(documents));
    }
}
