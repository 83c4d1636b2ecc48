package org.treerename.janitor.recovery;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Ownership;
import org.treerename.journal.State;
import org.treerename.process.Liveness;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Versioned;

/**
 * Decides whether the owner of a journal entry may still act. While the owner may act, no other process takes the entry
 * over. Any thread may call this class.
 */
final class Owners {

    private static final Logger log = LoggerFactory.getLogger(Owners.class);

    /** The processes whose end an acknowledged write has confirmed. */
    private final Set<String> known = Collections.synchronizedSet(Collections.newSetFromMap(FencedProcesses.bounded()));

    private final ProcessStore processes;
    private final FencedProcesses fenced;
    private final ProcessContext context;

    /** @param fenced returns whether a fenced writer has stopped writing */
    Owners(ProcessStore processes, FencedProcesses fenced, ProcessContext context) {
        this.processes = processes;
        this.fenced = fenced;
        this.context = context;
    }

    /**
     * Returns those of these owners that are not live. Reads the documents of the owners in few requests, and confirms
     * the end of each process once. If the end of a process cannot be confirmed now, the owner is left out.
     */
    Set<String> ended(Set<String> ids) {
        Set<String> ended = new HashSet<>();
        List<ProcessId> open = new ArrayList<>();
        for (String id : ids) {
            if (id.equals(context.processId()) || Ownership.isNoProcess(id) || known.contains(id)) {
                ended.add(id);
            } else {
                open.add(new ProcessId(id));
            }
        }
        for (int from = 0; from < open.size(); from += DeathWatch.BATCH) {
            List<ProcessId> batch = open.subList(from, Math.min(from + DeathWatch.BATCH, open.size()));
            Set<ProcessId> live = live(batch);
            batch.stream().filter(id -> !live.contains(id) && isConfirmed(id)).forEach(id -> ended.add(id.text()));
        }
        return ended;
    }

    /** Returns the live processes. A process whose document cannot be read counts as live. */
    private Set<ProcessId> live(List<ProcessId> batch) {
        try {
            return processes.read(batch).stream()
                    .map(Versioned::value)
                    .filter(document -> document.state() == ProcessState.LIVE)
                    .map(ProcessDocument::id)
                    .collect(Collectors.toSet());
        } catch (RefusedException e) {
            if (batch.size() > 1) {
                return batch.stream().flatMap(id -> live(List.of(id)).stream()).collect(Collectors.toSet());
            }
            log.error("process {}: cannot read its process document: {}", batch.getFirst(), e.getMessage());
            return Set.copyOf(batch);
        }
    }

    private boolean isConfirmed(ProcessId id) {
        try {
            return hasEnded(id);
        } catch (NoAnswerException | RefusedException e) {
            log.warn(
                    "process {}: cannot confirm that it has ended ({}); its renames are not taken over before the next"
                            + " tick",
                    id,
                    e.getMessage());
            return false;
        }
    }

    /** Returns whether a process has ended. The end of a process is final, so it is confirmed only once. */
    private boolean hasEnded(ProcessId id) {
        boolean hasEnded = known.contains(id.text())
                || Liveness.hasEnded(processes, id, context.time().now());
        if (hasEnded) {
            known.add(id.text());
        }
        return hasEnded;
    }

    boolean mayAct(JournalEntry entry) {
        return isLive(entry) || mayStillWrite(entry);
    }

    /**
     * Returns whether the owner is live. The method returns false if this process is the owner: an earlier take-over by
     * this process got no answer, so the process takes the entry over again. It also returns false for a cancelled
     * or abandoned entry that no process has taken over, because the owner of this entry is not a process.
     */
    private boolean isLive(JournalEntry entry) {
        ProcessId owner = new ProcessId(entry.ownership().processId());
        if (owner.text().equals(context.processId()) || entry.ownership().isOfNoProcess(entry.requestId())) {
            return false;
        }
        return context.retryUntilAnswered("the process " + owner, () -> !hasEnded(owner));
    }

    /**
     * Returns whether a writer may still write under its hold. Nothing protects the documents of the writer from a
     * rename that acquires the locks too early. If the owner of a rename is fenced, no delay is necessary, because this
     * owner writes with sequence numbers.
     */
    private boolean mayStillWrite(JournalEntry entry) {
        ProcessId owner = new ProcessId(entry.ownership().processId());
        if (entry.state() != State.HELD || owner.text().equals(context.processId())) {
            return false;
        }
        Optional<ProcessDocument> document = context.retryUntilAnswered(
                        "the process " + owner, () -> processes.read(owner))
                .map(Versioned::value);
        return !fenced.hasStoppedWriting(owner, document);
    }
}
