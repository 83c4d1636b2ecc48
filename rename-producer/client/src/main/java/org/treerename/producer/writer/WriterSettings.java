package org.treerename.producer.writer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.Authorization;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.Tls;
import org.treerename.installation.Installation;
import org.treerename.process.Lease;
import org.treerename.runtime.Durations;

/**
 * The settings of {@link TreeLocks}.
 *
 * @param elasticsearchUrl the URLs of Elasticsearch, separated by commas
 * @param service the name of the program; errors and commands show this name as the holder of the locks
 * @param lease the time without a heartbeat after which other processes treat the program as dead. After half of this
 *     time without an acknowledged heartbeat, the holds of the program are lost. Use the same lease as the workers and
 *     janitors: a janitor always waits for at least its own lease before it fences a process
 * @param lockWait the longest time that a call waits for locks that other requests hold
 * @param requestTimeout the timeout of one request to Elasticsearch
 * @param grace the longest time from a stop request to the end of the writer, at least 1 s. The holders have a third of
 *     this time to close their holds
 * @param authorization the user for Elasticsearch; null if the security of Elasticsearch is off
 * @param tls the trusted certificates for https; null for the certificates that the Java virtual machine trusts
 * @param installation the installation whose locks the program acquires
 */
public record WriterSettings(
        String elasticsearchUrl,
        String service,
        Lease lease,
        Duration lockWait,
        Duration requestTimeout,
        Duration grace,
        @Nullable Authorization authorization,
        @Nullable Tls tls,
        Installation installation) {

    public static final String DEFAULT_SERVICE = "writer";
    public static final Lease DEFAULT_LEASE = new Lease(Duration.ofSeconds(30));
    public static final Duration DEFAULT_LOCK_WAIT = Duration.ofMinutes(2);
    public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(30);
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(6);

    private static final Duration LONGEST = Duration.ofDays(1);

    public WriterSettings {
        if (service.isBlank()) {
            throw new IllegalArgumentException("service must not be blank");
        }
        Durations.requireBetween("lockWait", Duration.ZERO, LONGEST, lockWait);
        Durations.requireBetween("requestTimeout", Duration.ofMillis(1), LONGEST, requestTimeout);
        Durations.requireBetween("grace", Duration.ofSeconds(1), LONGEST, grace);
        var unused = elasticsearch(elasticsearchUrl, requestTimeout, authorization, tls);
    }

    /** Returns the default settings with the given URLs of Elasticsearch. */
    public static WriterSettings of(String elasticsearchUrl) {
        return new WriterSettings(
                elasticsearchUrl,
                DEFAULT_SERVICE,
                DEFAULT_LEASE,
                DEFAULT_LOCK_WAIT,
                DEFAULT_REQUEST_TIMEOUT,
                DEFAULT_GRACE,
                null,
                null,
                Installation.DEFAULT);
    }

    public WriterSettings withService(String name) {
        return new WriterSettings(
                elasticsearchUrl, name, lease, lockWait, requestTimeout, grace, authorization, tls, installation);
    }

    public WriterSettings withLease(Duration length) {
        return new WriterSettings(
                elasticsearchUrl,
                service,
                new Lease(length),
                lockWait,
                requestTimeout,
                grace,
                authorization,
                tls,
                installation);
    }

    public WriterSettings withLockWait(Duration longest) {
        return new WriterSettings(
                elasticsearchUrl, service, lease, longest, requestTimeout, grace, authorization, tls, installation);
    }

    public WriterSettings withRequestTimeout(Duration longest) {
        return new WriterSettings(
                elasticsearchUrl, service, lease, lockWait, longest, grace, authorization, tls, installation);
    }

    public WriterSettings withGrace(Duration length) {
        return new WriterSettings(
                elasticsearchUrl, service, lease, lockWait, requestTimeout, length, authorization, tls, installation);
    }

    /** Returns these settings with a user for Elasticsearch. */
    public WriterSettings as(Authorization user) {
        return new WriterSettings(
                elasticsearchUrl, service, lease, lockWait, requestTimeout, grace, user, tls, installation);
    }

    /** Returns these settings with the given trusted certificates for https. */
    public WriterSettings over(Tls other) {
        return new WriterSettings(
                elasticsearchUrl, service, lease, lockWait, requestTimeout, grace, authorization, other, installation);
    }

    /**
     * Returns these settings with the prefix of an installation. The workers and janitors must have the same prefix.
     *
     * @throws IllegalArgumentException if the prefix is not valid
     */
    public WriterSettings withPrefix(String prefix) {
        return new WriterSettings(
                elasticsearchUrl,
                service,
                lease,
                lockWait,
                requestTimeout,
                grace,
                authorization,
                tls,
                new Installation(prefix));
    }

    /** Returns the settings of the connection to Elasticsearch. */
    Elastic.Settings elasticsearch(Duration timeout) {
        return elasticsearch(elasticsearchUrl, timeout, authorization, tls).in(installation);
    }

    private static Elastic.Settings elasticsearch(
            String url, Duration timeout, @Nullable Authorization authorization, @Nullable Tls tls) {
        return Elastic.Settings.of(url, timeout).as(authorization).over(tls);
    }
}
