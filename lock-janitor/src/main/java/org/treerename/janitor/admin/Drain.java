package org.treerename.janitor.admin;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.treerename.journal.State;
import org.treerename.overview.JournalSearch;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.runtime.Time;

/**
 * Waits, after the workers were paused, until no rename is in progress. Only one thread calls this class. Each call may
 * throw {@link org.treerename.store.NoAnswerException}.
 *
 * <ol>
 *   <li>Wait until each worker that is live at the start of the wait has received the pause. After two more heartbeats,
 *       a worker has certainly received the pause. The answer to each heartbeat contains the pause, and the worker
 *       sends the second heartbeat after the answer to the first. A worker that starts later reads the pause when it
 *       creates its process document.
 *   <li>Wait until the heartbeat of each worker reports that no request is in progress. A request that was started just
 *       before the pause may have no journal entry yet, because Elasticsearch may not have answered the write of the
 *       entry.
 *   <li>Wait until two reads, two seconds apart, find no rename in progress.
 * </ol>
 *
 * <p>Parked renames do not run, so this class does not wait for them. It does not wait for holds of writers either.
 */
public final class Drain {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    private static final Duration SETTLING = Duration.ofSeconds(2);
    private static final long BEATS = 2;

    /** The services whose processes begin renames: workers, and processes of direct renames. */
    private static final Set<String> BEGINNING = Set.of("worker", "direct");

    private final ProcessStore processes;
    private final JournalSearch journal;
    private final Time time;

    public Drain(ProcessStore processes, JournalSearch journal, Time time) {
        this.processes = processes;
        this.journal = journal;
        this.time = time;
    }

    /**
     * Waits until no rename is in progress.
     *
     * @param atMost the longest time to wait
     * @param missing the callback that receives a description of the remaining work each time the description changes
     * @return false if a rename is still in progress after the longest time
     */
    public boolean await(Duration atMost, Consumer<String> missing) {
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
                missing.accept(waits);
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
                .filter(process -> BEGINNING.contains(process.service()))
                .toList();
    }

    /** Returns a text that describes the remaining work; empty if all work has ended. */
    private String waitsFor(Map<ProcessId, Long> begun) {
        long unaware = workers().stream()
                .filter(worker -> worker.heartbeat() < begun.getOrDefault(worker.id(), -BEATS) + BEATS)
                .count();
        if (unaware > 0) {
            return unaware + (unaware == 1 ? " process has" : " processes have") + " not detected the pause yet";
        }
        long busy = workers().stream().filter(worker -> worker.running() > 0).count();
        if (busy > 0) {
            return busy + (busy == 1 ? " process has" : " processes have") + " requests in progress";
        }
        Set<State> running = EnumSet.copyOf(State.needingOwner());
        running.remove(State.HELD);
        long open = journal.countByOwner(running).values().stream()
                .mapToLong(Long::longValue)
                .sum();
        return open == 0 ? "" : open + (open == 1 ? " rename is" : " renames are") + " in progress";
    }
}
