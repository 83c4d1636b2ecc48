package org.treerename.overview;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.treerename.overview.ProcessSeen.Sign;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.rename.State;
import org.treerename.runtime.Time;

/**
 * Looks at every process again and again, and tells what it has seen of their heartbeats on its own monotonic clock. It judges
 * nobody: that is the janitors' work. One thread calls it; a look may throw {@link org.treerename.store.NoAnswerException}.
 */
public final class ProcessWatch {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    /**
     * A heartbeat that stands.
     *
     * @param sinceNanos when the answer came that showed it first
     * @param moved whether another one was seen before it
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

    /** Looks until longer watching would tell no more, or for so long; what was seen last. */
    public List<ProcessSeen> watch(Duration atMost) {
        long begunNanos = time.nanos();
        List<ProcessSeen> seen = look();
        while (!seen.stream().allMatch(ProcessSeen::isKnown) && time.nanos() - begunNanos < atMost.toNanos()) {
            time.pause(BETWEEN_LOOKS);
            seen = look();
        }
        return seen;
    }

    /** One look: those that are live first, then the youngest first. */
    public List<ProcessSeen> look() {
        long sentNanos = time.nanos();
        List<ProcessDocument> documents = Arrays.stream(ProcessState.values())
                .flatMap(state -> processes.in(state).stream())
                .toList();
        long answeredNanos = time.nanos();
        Map<String, Long> carried = journal.carried(State.needingOwner());
        Map<ProcessId, Sighting> next = new HashMap<>();
        List<ProcessSeen> seen = new ArrayList<>();
        for (ProcessDocument document : documents) {
            long carries = carried.getOrDefault(document.id().text(), 0L);
            if (document.state() == ProcessState.LIVE) {
                Sighting sighting = sighting(document, answeredNanos);
                next.put(document.id(), sighting);
                Duration still = Duration.ofNanos(Math.max(0, sentNanos - sighting.sinceNanos()));
                seen.add(new ProcessSeen(document, sign(document, sighting, still), still, carries));
            } else {
                seen.add(new ProcessSeen(document, Sign.ENDED, Duration.ZERO, carries));
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
