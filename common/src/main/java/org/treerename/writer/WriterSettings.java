package org.treerename.writer;

import java.time.Duration;
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
 */
public record WriterSettings(
        String elasticsearchUrl,
        String service,
        Lease lease,
        Duration lockWait,
        Duration requestTimeout,
        Duration grace) {

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
    }

    /** The defaults. */
    public static WriterSettings of(String elasticsearchUrl) {
        return new WriterSettings(
                elasticsearchUrl,
                DEFAULT_SERVICE,
                DEFAULT_LEASE,
                DEFAULT_LOCK_WAIT,
                DEFAULT_REQUEST_TIMEOUT,
                DEFAULT_GRACE);
    }

    public WriterSettings withService(String name) {
        return new WriterSettings(elasticsearchUrl, name, lease, lockWait, requestTimeout, grace);
    }

    public WriterSettings withLease(Duration length) {
        return new WriterSettings(elasticsearchUrl, service, new Lease(length), lockWait, requestTimeout, grace);
    }

    public WriterSettings withLockWait(Duration longest) {
        return new WriterSettings(elasticsearchUrl, service, lease, longest, requestTimeout, grace);
    }

    public WriterSettings withRequestTimeout(Duration longest) {
        return new WriterSettings(elasticsearchUrl, service, lease, lockWait, longest, grace);
    }

    public WriterSettings withGrace(Duration length) {
        return new WriterSettings(elasticsearchUrl, service, lease, lockWait, requestTimeout, length);
    }

    private static void requireBetween(String name, Duration least, Duration found) {
        if (found.compareTo(least) < 0 || found.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " must be " + least + " to " + LONGEST + ", found " + found);
        }
    }
}
