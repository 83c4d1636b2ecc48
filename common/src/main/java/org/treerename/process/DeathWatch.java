package org.treerename.process;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Judges, on the observer's own monotonic clock, which processes are dead, and fences them. A process is dead when, from the
 * answer to one read of its heartbeat to the sending of another, at least its lease has passed, the document's version is
 * the same, and all that time the observer's own conditional writes succeeded. No two wall clocks are compared. One
 * thread calls it.
 *
 * <ol>
 *   <li>read, wait, read: if we die here, nothing has changed;
 *   <li>fence by a conditional write on the version that was watched, so that one heartbeat in time wins: if we die after
 *       it, the process is fenced, and whoever ticks next takes its renames over.
 * </ol>
 */
public final class DeathWatch {

    /** A version of a heartbeat, and when the answer that showed it first came. */
    private record Sighting(Version version, long answeredNanos) {}

    private static final Logger log = LoggerFactory.getLogger(DeathWatch.class);

    private final ProcessStore store;
    private final Time time;
    private final OwnWrites ownWrites;
    private final Lease own;
    private final FencedProcesses fenced;
    private final Map<ProcessId, Sighting> sightings = new HashMap<>();

    /**
     * @param own the observer's lease; nobody is judged by a shorter one, for which the observer looks too seldom
     */
    public DeathWatch(ProcessStore store, Time time, OwnWrites ownWrites, Lease own) {
        this.store = store;
        this.time = time;
        this.ownWrites = ownWrites;
        this.own = own;
        this.fenced = new FencedProcesses(time, own);
    }

    /** Returns what this observer knows of fenced processes. Any thread may use it. */
    public FencedProcesses fenced() {
        return fenced;
    }

    /** Looks once at every process that is said to be live; fences those that are dead. */
    public void look() {
        List<ProcessId> live = store.ids(ProcessState.LIVE);
        sightings.keySet().retainAll(live);
        for (ProcessId id : live) {
            try {
                look(id);
            } catch (RefusedException e) {
                log.error("{} cannot be judged: {}", id, e.getMessage());
            } catch (NoAnswerException e) {
                sightings.remove(id);
                log.warn("whether {} is alive is not known: {}", id, e.getMessage());
            }
        }
    }

    private void look(ProcessId id) {
        long sentNanos = time.nanos();
        Optional<Versioned<ProcessDocument>> found = store.read(id);
        long answeredNanos = time.nanos();
        if (found.isEmpty() || found.get().value().state() != ProcessState.LIVE) {
            sightings.remove(id);
            return;
        }
        Sighting before = sightings.get(id);
        if (before == null || !before.version().equals(found.get().version()) || !sang(before, sentNanos)) {
            // where our own writes failed meanwhile, the watching of this process begins again
            sightings.put(id, new Sighting(found.get().version(), answeredNanos));
            return;
        }
        Duration silent = Duration.ofNanos(sentNanos - before.answeredNanos());
        if (silent.compareTo(judgedBy(found.get().value())) >= 0) {
            fence(found.get(), silent);
        }
    }

    private Duration judgedBy(ProcessDocument document) {
        return document.lease().compareTo(own.length()) > 0 ? document.lease() : own.length();
    }

    private boolean sang(Sighting since, long nowNanos) {
        return ownWrites.succeededSince(
                since.answeredNanos(), nowNanos, own.length().dividedBy(2));
    }

    private void fence(Versioned<ProcessDocument> dead, Duration silent) {
        ProcessId id = dead.value().id();
        if (store.write(dead.value().in(ProcessState.FENCED), dead.version()) instanceof WriteResult.Written) {
            fenced.fencedAfterSilence(id);
            log.warn("fenced {}: silent for {} ms", id, silent.toMillis());
        }
        sightings.remove(id);
    }
}
