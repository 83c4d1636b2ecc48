package org.treerename.janitor.recovery;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.treerename.process.Lease;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.runtime.Time;

/**
 * Decides whether a process that is not live has stopped the writes that its holds protect. Any thread may call this
 * class.
 *
 * <p>A process stops its writes half a lease after its last acknowledged heartbeat. If a process was silent for a lease
 * before its fence, it stopped its writes long before the fence. A process may also be fenced while it sends
 * heartbeats, for example by an operator. In this case, the process stops its writes within half a lease after the
 * fence. The process that uses this class is the observer. The observer does not know when the process was fenced. So
 * the observer waits for a whole lease, on its own clock, after it first saw the fence.
 */
public final class FencedProcesses {

    /**
     * The maximum number of processes that the observer remembers. If the observer forgets a process, it waits for a
     * whole lease again.
     */
    private static final int REMEMBERED = 10_000;

    private final Time time;
    private final Duration own;
    private final Set<ProcessId> silent = Collections.newSetFromMap(bounded());
    private final Map<ProcessId, Long> firstSeenNanos = bounded();

    /** @param own the observer's lease; the observer waits at least this long */
    public FencedProcesses(Time time, Lease own) {
        this.time = time;
        this.own = own.length();
    }

    /** Returns a map that forgets its oldest entries. */
    static <K, V> Map<K, V> bounded() {
        return new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > REMEMBERED;
            }
        };
    }

    /** Records that this observer fenced a process that had been silent for its lease. */
    synchronized void fencedAfterSilence(ProcessId id) {
        silent.add(id);
    }

    /**
     * Returns whether the process has stopped writing.
     *
     * @param read the document of a process that is not live, as the caller has just read it; empty if there is no
     *     document
     */
    public synchronized boolean hasStoppedWriting(ProcessId id, Optional<ProcessDocument> read) {
        ProcessState state = read.map(ProcessDocument::state).orElse(ProcessState.FENCED);
        return switch (state) {
            case LIVE -> false;
            case STOPPED -> true;
            case FENCED -> {
                Duration lease = read.map(ProcessDocument::lease).orElse(own);
                long now = time.nanos();
                long seenFor = now - firstSeenNanos.computeIfAbsent(id, first -> now);
                Duration longer = lease.compareTo(own) > 0 ? lease : own;
                yield silent.contains(id) || seenFor >= longer.toNanos();
            }
        };
    }
}
