package org.treerename.writer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.Authorization;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.Tls;
import org.treerename.process.Lease;

/**
 * What {@link TreeLocks} are told.
 *
 * @param elasticsearchUrl where Elasticsearch is; several nodes with commas between them
 * @param service what the program is called, where people read who holds a lock
 * @param lease how long the program may be silent before others may take it for dead. After half of it without an acknowledged
 *     heartbeat its holds are lost. As long as that of the workers and janitors: nobody is judged by a shorter one than a
 *     janitor's own
 * @param lockWait how long a call waits for locks that others hold
 * @param requestTimeout of one request to Elasticsearch
 * @param grace how long the program's end may take, 1 s at least; a third of it is the holders' own
 * @param authorization as whom Elasticsearch is asked; null where nobody is asked who asks
 * @param tls whom the program trusts, where the URLs are https; null for whom the Java virtual machine trusts
 */
public record WriterSettings(
        String elasticsearchUrl,
        String service,
        Lease lease,
        Duration lockWait,
        Duration requestTimeout,
        Duration grace,
        @Nullable Authorization authorization,
        @Nullable Tls tls) {

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
        requireBetween("lockWait", Duration.ZERO, lockWait);
        requireBetween("requestTimeout", Duration.ofMillis(1), requestTimeout);
        requireBetween("grace", Duration.ofSeconds(1), grace);
        var unused = elasticsearch(elasticsearchUrl, requestTimeout, authorization, tls);
    }

    /** The defaults. */
    public static WriterSettings of(String elasticsearchUrl) {
        return new WriterSettings(
                elasticsearchUrl,
                DEFAULT_SERVICE,
                DEFAULT_LEASE,
                DEFAULT_LOCK_WAIT,
                DEFAULT_REQUEST_TIMEOUT,
                DEFAULT_GRACE,
                null,
                null);
    }

    public WriterSettings withService(String name) {
        return new WriterSettings(elasticsearchUrl, name, lease, lockWait, requestTimeout, grace, authorization, tls);
    }

    public WriterSettings withLease(Duration length) {
        return new WriterSettings(
                elasticsearchUrl, service, new Lease(length), lockWait, requestTimeout, grace, authorization, tls);
    }

    public WriterSettings withLockWait(Duration longest) {
        return new WriterSettings(elasticsearchUrl, service, lease, longest, requestTimeout, grace, authorization, tls);
    }

    public WriterSettings withRequestTimeout(Duration longest) {
        return new WriterSettings(elasticsearchUrl, service, lease, lockWait, longest, grace, authorization, tls);
    }

    public WriterSettings withGrace(Duration length) {
        return new WriterSettings(
                elasticsearchUrl, service, lease, lockWait, requestTimeout, length, authorization, tls);
    }

    /** The same as somebody. */
    public WriterSettings as(Authorization somebody) {
        return new WriterSettings(elasticsearchUrl, service, lease, lockWait, requestTimeout, grace, somebody, tls);
    }

    /** The same over TLS as this says. */
    public WriterSettings over(Tls other) {
        return new WriterSettings(
                elasticsearchUrl, service, lease, lockWait, requestTimeout, grace, authorization, other);
    }

    /** How Elasticsearch is reached. */
    Elastic.Settings elasticsearch(Duration timeout) {
        return elasticsearch(elasticsearchUrl, timeout, authorization, tls);
    }

    private static Elastic.Settings elasticsearch(
            String url, Duration timeout, @Nullable Authorization authorization, @Nullable Tls tls) {
        return Elastic.Settings.of(url, timeout).as(authorization).over(tls);
    }

    private static void requireBetween(String name, Duration least, Duration found) {
        if (found.compareTo(least) < 0 || found.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " must be " + least + " to " + LONGEST + ", found " + found);
        }
    }
}
