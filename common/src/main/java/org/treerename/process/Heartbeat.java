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
 * Keeps one process document moving. The first step creates it; each further one raises its counter by a conditional
 * write on the version that this process wrote last. One thread calls it.
 *
 * <ol>
 *   <li>create the document: if we die here, a document without holds stands until its lease is over;
 *   <li>raise the counter: if we die here, the counter stands still, and an observer notices one lease later.
 * </ol>
 */
public final class Heartbeat {

    /** Whether the process may go on. */
    public enum Standing {
        ACKNOWLEDGED,
        UNANSWERED,
        /** Somebody else wrote the document: the process is fenced for good. */
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
     * @throws NoAnswerException if it is not known whether it exists; it may be called again
     */
    public static Heartbeat begin(ProcessStore store, ProcessDocument document) {
        return switch (store.create(document)) {
            case WriteResult.Written written -> new Heartbeat(store, document, written.version());
            case WriteResult.Conflict conflict -> createdBefore(store, document);
        };
    }

    /** There is a document: ours, whose creation got no answer, or another's. A read that shows none is of what was. */
    private static Heartbeat createdBefore(ProcessStore store, ProcessDocument document) {
        Versioned<ProcessDocument> found = store.read(document.id())
                .orElseThrow(
                        () -> new NoAnswerException("the document of " + document.id() + " is not seen yet", null));
        if (!found.value().equals(document)) {
            throw new IllegalStateException("process id " + document.id() + " was used before");
        }
        return new Heartbeat(store, document, found.version());
    }

    /**
     * Creates the process document of a process on this host.
     *
     * @param startedAt the same again where it has to be called again
     * @throws NoAnswerException if it is not known whether it exists; it may be called again
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

    /** Raises the counter, for a process that carries no requests. */
    public Standing beat() {
        return beat(0);
    }

    /**
     * Raises the counter.
     *
     * @param running how many requests the process carries, or may begin
     */
    public Standing beat(int running) {
        return write(document.nextHeartbeat(running));
    }

    /** The last one: the process holds nothing any more, or leaves what it holds to others. */
    public Standing stop() {
        return write(document.in(ProcessState.STOPPED));
    }

    private Standing write(ProcessDocument next) {
        try {
            return switch (store.write(next, version)) {
                case WriteResult.Written written -> acknowledged(next, written.version());
                case WriteResult.Conflict conflict -> reread(next);
            };
        } catch (NoAnswerException e) {
            log.warn("heartbeat {} of {} got no answer: {}", next.heartbeat(), next.id(), e.getMessage());
            return Standing.UNANSWERED;
        }
    }

    /**
     * A refused write is either an earlier one of ours whose answer was lost, or a fence. What a read shows may be what was,
     * or a fence that a node which is cut off took and nobody acknowledged: a fence counts when a write on it is acknowledged.
     */
    private Standing reread(ProcessDocument next) {
        Optional<Versioned<ProcessDocument>> found = store.read(next.id());
        if (next.state() == ProcessState.STOPPED
                && found.map(f -> f.value().equals(next)).orElse(false)) {
            return acknowledged(next, found.get().version());
        }
        if (found.isPresent() && found.get().value().state() == ProcessState.LIVE) {
            return switch (store.write(next, found.get().version())) {
                case WriteResult.Written written -> acknowledged(next, written.version());
                case WriteResult.Conflict conflict -> Standing.UNANSWERED;
            };
        }
        if (!Liveness.isCertain(store, found, next.in(ProcessState.FENCED))) {
            log.warn("whether {} is fenced is not known", next.id());
            return Standing.UNANSWERED;
        }
        log.error(
                "{} is fenced: expected its process document live, found {}",
                next.id(),
                found.map(f -> f.value().state().stored()).orElse("none"));
        return Standing.FENCED;
    }

    private Standing acknowledged(ProcessDocument written, Version at) {
        document = written;
        version = at;
        return Standing.ACKNOWLEDGED;
    }
}
