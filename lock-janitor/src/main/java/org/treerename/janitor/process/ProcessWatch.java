package org.treerename.janitor.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.treerename.journal.State;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.ProcessSeen;
import org.treerename.overview.ProcessSeen.Sign;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.runtime.Time;

/**
 * Observes the heartbeats of all processes. Measures time with the monotonic clock of this machine. This class fences
 * no process. Only one thread calls this class. Its methods throw {@link org.treerename.store.NoAnswerException} if
 * Elasticsearch does not answer.
 */
public final class ProcessWatch {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    /**
     * The last heartbeat of a process.
     *
     * @param sinceNanos the time of the first answer that showed this heartbeat
     * @param moved whether an earlier heartbeat of the process was observed
     */
    private record Sighting(long heartbeat, long sinceNanos, boolean moved) {}

    private final ProcessStore processes;
    private final JournalSearch journal;
    private final Time time;
    private Map<ProcessId, Sighting> sightings = new HashMap<>();

    public ProcessWatch(ProcessStore processes, JournalSearch journal, Time time) {
        this.processes = processes;
        this.journal = journal;
        this.time = time;
    }

    /**
     * Reads all processes again and again, until the state of each process is certain or the time {@code atMost} has
     * passed. Returns the result of the last read.
     */
    public List<ProcessSeen> watch(Duration atMost) {
        long begunNanos = time.nanos();
        List<ProcessSeen> seen = poll();
        while (!seen.stream().allMatch(ProcessSeen::isKnown) && time.nanos() - begunNanos < atMost.toNanos()) {
            time.pause(BETWEEN_LOOKS);
            seen = poll();
        }
        return seen;
    }

    /**
     * Reads all processes once. The live processes are first in the result. Processes in the same state are sorted by
     * start time, the latest first.
     */
    public List<ProcessSeen> poll() {
        long sentNanos = time.nanos();
        List<ProcessDocument> documents = Arrays.stream(ProcessState.values())
                .flatMap(state -> processes.in(state).stream())
                .toList();
        long answeredNanos = time.nanos();
        Map<String, Long> owned = journal.countByOwner(State.needingOwner());
        Map<ProcessId, Sighting> next = new HashMap<>();
        List<ProcessSeen> seen = new ArrayList<>();
        for (ProcessDocument document : documents) {
            long ownedRenames = owned.getOrDefault(document.id().text(), 0L);
            if (document.state() == ProcessState.LIVE) {
                Sighting sighting = sighting(document, answeredNanos);
                next.put(document.id(), sighting);
                Duration still = Duration.ofNanos(Math.max(0, sentNanos - sighting.sinceNanos()));
                seen.add(new ProcessSeen(document, sign(document, sighting, still), still, ownedRenames));
            } else {
                seen.add(new ProcessSeen(document, Sign.ENDED, Duration.ZERO, ownedRenames));
            }
        }
        sightings = next;
        seen.sort(
                Comparator.comparing((ProcessSeen process) -> process.document().state())
                        .thenComparing(process -> process.document().startedAt(), Comparator.reverseOrder()));
        return seen;
    }

    private Sighting sighting(ProcessDocument document, long answeredNanos) {
        Sighting before = sightings.get(document.id());
        return before != null && before.heartbeat() == document.heartbeat()
                ? before
                : new Sighting(document.heartbeat(), answeredNanos, before != null);
    }

    private static Sign sign(ProcessDocument document, Sighting sighting, Duration still) {
        if (still.compareTo(document.lease()) >= 0) {
            return Sign.SILENT;
        }
        return sighting.moved() ? Sign.BEATING : Sign.UNSURE;
    }
}
