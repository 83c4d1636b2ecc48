package org.treerename.overview;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.rename.State;
import org.treerename.runtime.Time;

/**
 * Waits until nothing runs any more, after workers were paused. One thread calls it; it may throw {@link
 * org.treerename.store.NoAnswerException}.
 *
 * <ol>
 *   <li>each worker that is live when this begins has noticed the pause: its heartbeat was raised twice since. Each beat brings
 *       the pause back with its answer, and the second is sent when the first was answered. A worker that begins later is told with
 *       its process document;
 *   <li>then each worker's heartbeat says that it carries no request: one that was begun just before the pause may have no entry
 *       yet, for as long as Elasticsearch does not answer;
 *   <li>then no rename is open, twice, a while apart.
 * </ol>
 *
 * Parked renames do not run, and what writers hold does not end here.
 */
public final class Standstill {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    private static final Duration SETTLING = Duration.ofSeconds(2);
    private static final long BEATS = 2;
    private static final String WORKER = "worker";

    private final ProcessStore processes;
    private final JournalSearch journal;
    private final Time time;

    public Standstill(ProcessStore processes, JournalSearch journal, Time time) {
        this.processes = processes;
        this.journal = journal;
        this.time = time;
    }

    /**
     * Waits for it.
     *
     * @param told what is waited for, in words, whenever that changes
     * @return false if it did not come within that time
     */
    public boolean await(Duration atMost, Consumer<String> told) {
        long deadline = time.nanos() + atMost.toNanos();
        Map<ProcessId, Long> begun = new HashMap<>();
        workers().forEach(worker -> begun.put(worker.id(), worker.heartbeat()));
        String last = "";
        boolean wasQuiet = false;
        while (true) {
            String waits = waitsFor(begun);
            if (waits.isEmpty() && wasQuiet) {
                return true;
            }
            wasQuiet = waits.isEmpty();
            if (!waits.isEmpty() && !waits.equals(last)) {
                told.accept(waits);
            }
            last = waits;
            Duration pause = wasQuiet ? SETTLING : BETWEEN_LOOKS;
            if (time.nanos() + pause.toNanos() > deadline) {
                return false;
            }
            time.pause(pause);
        }
    }

    private List<ProcessDocument> workers() {
        return processes.in(ProcessState.LIVE).stream()
                .filter(process -> process.service().equals(WORKER))
                .toList();
    }

    /** In words; empty where nothing is waited for. */
    private String waitsFor(Map<ProcessId, Long> begun) {
        long unaware = workers().stream()
                .filter(worker -> worker.heartbeat() < begun.getOrDefault(worker.id(), -BEATS) + BEATS)
                .count();
        if (unaware > 0) {
            return unaware + (unaware == 1 ? " worker has" : " workers have") + " to notice the pause";
        }
        long busy = workers().stream().filter(worker -> worker.running() > 0).count();
        if (busy > 0) {
            return busy + (busy == 1 ? " worker carries requests" : " workers carry requests");
        }
        Set<State> running = EnumSet.copyOf(State.needingOwner());
        running.remove(State.HELD);
        long open = journal.carried(running).values().stream()
                .mapToLong(Long::longValue)
                .sum();
        return open == 0 ? "" : open + (open == 1 ? " rename is open" : " renames are open");
    }
}
