package org.treerename.janitor.recovery;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.process.Lease;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Detects dead processes and fences them. The process that runs this class is the observer. The observer measures time
 * with its own monotonic clock, and never compares two wall clocks. Only one thread calls this class. Before a
 * take-over, {@link org.treerename.process.Liveness} confirms the fence.
 *
 * <p>The observer reads a process document twice. The interval is the time from the first answer to the sending of the
 * second read. The process is dead if the following three conditions are true. The interval is at least as long as the
 * lease of the process. The version of the document did not change in the interval. The observer's own conditional
 * writes succeeded during the whole interval.
 *
 * <ol>
 *   <li>Read, wait, read. If the observer dies here, nothing has changed.
 *   <li>Fence the process by a conditional write on the observed version. The write fails if a heartbeat arrives before
 *       it. If the observer dies after the write, the process is fenced, and the next tick of a janitor takes over the
 *       renames of the process.
 * </ol>
 */
public final class DeathWatch {

    /** The version of a process document, and the time of the first answer that showed this version. */
    private record Sighting(Version version, long answeredNanos) {}

    /** The number of process documents that one request reads. */
    static final int BATCH = 500;

    private static final Logger log = LoggerFactory.getLogger(DeathWatch.class);

    private final ProcessStore store;
    private final Time time;
    private final OwnWrites ownWrites;
    private final Lease own;
    private final FencedProcesses fenced;
    private final Map<ProcessId, Sighting> sightings = new HashMap<>();

    /**
     * @param own the observer's lease. The observer fences no process after a shorter silence, because it does not read
     *     often enough
     */
    public DeathWatch(ProcessStore store, Time time, OwnWrites ownWrites, Lease own) {
        this.store = store;
        this.time = time;
        this.ownWrites = ownWrites;
        this.own = own;
        this.fenced = new FencedProcesses(time, own);
    }

    /** Returns the fenced processes that this observer knows. Any thread may use the result. */
    public FencedProcesses fenced() {
        return fenced;
    }

    /** Reads the document of every live process once, many documents in one request. Fences the dead processes. */
    public void poll() {
        List<ProcessId> live = store.ids(ProcessState.LIVE);
        sightings.keySet().retainAll(Set.copyOf(live));
        for (int from = 0; from < live.size(); from += BATCH) {
            check(live.subList(from, Math.min(from + BATCH, live.size())));
        }
    }

    /**
     * Checks several processes. If Elasticsearch refuses the read, for example because a later version has written one
     * of the documents, checks each process separately.
     */
    private void check(List<ProcessId> ids) {
        try {
            long sentNanos = time.nanos();
            Map<ProcessId, Versioned<ProcessDocument>> found = new HashMap<>();
            store.read(ids).forEach(document -> found.put(document.value().id(), document));
            long answeredNanos = time.nanos();
            for (ProcessId id : ids) {
                check(id, Optional.ofNullable(found.get(id)), sentNanos, answeredNanos);
            }
        } catch (RefusedException e) {
            if (ids.size() > 1) {
                ids.forEach(id -> check(List.of(id)));
            } else {
                log.error(
                        "process {}: Elasticsearch refused the check of its heartbeat ({}); checking again at the"
                                + " next tick",
                        ids.getFirst(),
                        e.getMessage());
            }
        } catch (NoAnswerException e) {
            ids.forEach(sightings::remove);
            log.warn(
                    "processes {}: no answer from Elasticsearch to the check of their heartbeats ({}); their leases are"
                            + " measured again from the next answer",
                    ids,
                    e.getMessage());
        }
    }

    private void check(ProcessId id, Optional<Versioned<ProcessDocument>> found, long sentNanos, long answeredNanos) {
        if (found.isEmpty() || found.get().value().state() != ProcessState.LIVE) {
            sightings.remove(id);
            return;
        }
        Sighting before = sightings.get(id);
        if (before == null
                || !before.version().equals(found.get().version())
                || !ownWritesSucceeded(before, sentNanos)) {
            // the observation starts again after a heartbeat, and after a time in which the observer's own writes
            // failed
            sightings.put(id, new Sighting(found.get().version(), answeredNanos));
            return;
        }
        Duration silent = Duration.ofNanos(sentNanos - before.answeredNanos());
        if (silent.compareTo(silenceLimit(found.get().value())) >= 0) {
            fence(found.get(), silent);
        }
    }

    private Duration silenceLimit(ProcessDocument document) {
        return document.lease().compareTo(own.length()) > 0 ? document.lease() : own.length();
    }

    private boolean ownWritesSucceeded(Sighting since, long nowNanos) {
        return ownWrites.succeededSince(
                since.answeredNanos(), nowNanos, own.length().dividedBy(2));
    }

    private void fence(Versioned<ProcessDocument> dead, Duration silent) {
        ProcessId id = dead.value().id();
        try {
            if (store.write(dead.value().in(ProcessState.FENCED), dead.version()) instanceof WriteResult.Written) {
                fenced.fencedAfterSilence(id);
                log.warn(
                        "process {}: fenced because no heartbeat arrived for {} ms; a janitor takes over its renames",
                        id,
                        silent.toMillis());
            }
            sightings.remove(id);
        } catch (RefusedException e) {
            log.error(
                    "process {}: Elasticsearch refused its fence ({}); trying again at the next tick",
                    id,
                    e.getMessage());
        } catch (NoAnswerException e) {
            sightings.remove(id);
            log.warn(
                    "process {}: no answer from Elasticsearch to its fence ({}); its lease is measured again from the"
                            + " next answer",
                    id,
                    e.getMessage());
        }
    }
}
