package org.treerename.process;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Creates the process document of one process, and writes the heartbeats of the process. Each heartbeat increments the
 * counter in the document. The write is conditional on the version that this process wrote last. Only one thread calls
 * this class.
 *
 * <ol>
 *   <li>Create the document. If the process dies here, a janitor fences the process after one lease. The process owns
 *       no holds.
 *   <li>Increment the counter. If the process dies here, the counter does not change any more. A janitor detects this
 *       after one lease.
 * </ol>
 */
public final class Heartbeat {

    /** The result of one heartbeat. The result shows whether the process may continue. */
    public enum BeatResult {
        ACKNOWLEDGED,
        UNANSWERED,
        /** Another process has written the document. This process is fenced permanently. */
        FENCED
    }

    private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);

    private final ProcessStore store;
    private ProcessDocument document;
    private Version version;

    private Heartbeat(ProcessStore store, ProcessDocument document, Version version) {
        this.store = store;
        this.document = document;
        this.version = version;
    }

    /**
     * Creates the process document.
     *
     * @throws NoAnswerException if it is not known whether the document exists; the caller may try again
     */
    public static Heartbeat begin(ProcessStore store, ProcessDocument document) {
        return switch (store.create(document)) {
            case WriteResult.Written written -> new Heartbeat(store, document, written.version());
            case WriteResult.Conflict conflict -> createdBefore(store, document);
        };
    }

    /** An earlier try of this process may have created the document. A read that finds no document is stale. */
    private static Heartbeat createdBefore(ProcessStore store, ProcessDocument document) {
        Versioned<ProcessDocument> found = store.read(document.id())
                .orElseThrow(() -> new NoAnswerException(
                        "the process document of " + document.id()
                                + " exists, but a read does not find it yet; try again",
                        null));
        if (!found.value().equals(document)) {
            throw new IllegalStateException("expected a new process id, but another process has used " + document.id());
        }
        return new Heartbeat(store, document, found.version());
    }

    /**
     * Creates the process document, with the name of this host.
     *
     * @param startedAt the start of the process; a repeated call must pass the same value
     * @throws NoAnswerException if it is not known whether the document exists; the caller may try again
     */
    public static Heartbeat beginHere(
            ProcessStore store, ProcessId id, String service, Lease lease, Instant startedAt) {
        ProcessDocument document = ProcessDocument.live(
                id,
                service,
                hostName(),
                lease.length(),
                startedAt.truncatedTo(ChronoUnit.MILLIS),
                store.controlIndexUuid());
        return begin(store, document);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    public ProcessId processId() {
        return document.id();
    }

    /** Increments the counter, and reports that the process has no requests in progress. */
    public BeatResult beat() {
        return beat(0);
    }

    /**
     * Increments the counter.
     *
     * @param running the number of requests that the process has in progress or may start
     */
    public BeatResult beat(int running) {
        return write(document.nextHeartbeat(running));
    }

    /**
     * Writes the last heartbeat. After this heartbeat, other processes take over the locks and renames that this
     * process still owns.
     */
    public BeatResult stop() {
        return write(document.in(ProcessState.STOPPED));
    }

    private BeatResult write(ProcessDocument next) {
        try {
            return switch (store.write(next, version)) {
                case WriteResult.Written written -> acknowledged(next, written.version());
                case WriteResult.Conflict conflict -> reread(next);
            };
        } catch (NoAnswerException e) {
            log.warn(
                    "process {}: heartbeat {} got no answer: {}; {}",
                    next.id(),
                    next.heartbeat(),
                    e.getMessage(),
                    afterUnanswered(next));
            return BeatResult.UNANSWERED;
        }
    }

    /**
     * Finds the cause of a refused write: an earlier write of this process whose answer was lost, or a fence. A read
     * alone does not prove a fence. The read may show an old state, or a fence that only a cut-off node accepted and
     * that was never acknowledged. So a fence is certain only after an acknowledged conditional write on the version
     * that the read returned.
     */
    private BeatResult reread(ProcessDocument next) {
        Optional<Versioned<ProcessDocument>> found = store.read(next.id());
        if (next.state() == ProcessState.STOPPED
                && found.map(f -> f.value().equals(next)).orElse(false)) {
            return acknowledged(next, found.get().version());
        }
        if (found.isPresent() && found.get().value().state() == ProcessState.LIVE) {
            return switch (store.write(next, found.get().version())) {
                case WriteResult.Written written -> acknowledged(next, written.version());
                case WriteResult.Conflict conflict -> BeatResult.UNANSWERED;
            };
        }
        if (!Liveness.isCertain(store, found, next.in(ProcessState.FENCED))) {
            log.warn("process {}: cannot find out whether it is fenced; {}", next.id(), afterUnanswered(next));
            return BeatResult.UNANSWERED;
        }
        log.error(
                "process {}: fenced; expected its process document in the state live, found {}; this process stops",
                next.id(),
                found.map(f -> f.value().state().stored()).orElse("no document"));
        return BeatResult.FENCED;
    }

    private static String afterUnanswered(ProcessDocument next) {
        return next.state() == ProcessState.STOPPED
                ? "its unfinished renames are taken over when its lease ends, at the latest"
                : "trying again with the next heartbeat";
    }

    private BeatResult acknowledged(ProcessDocument written, Version at) {
        document = written;
        version = at;
        return BeatResult.ACKNOWLEDGED;
    }
}
