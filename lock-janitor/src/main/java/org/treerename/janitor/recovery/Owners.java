package org.treerename.janitor.recovery;

import java.util.Optional;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.process.Liveness;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Cancellation;
import org.treerename.store.Versioned;

/**
 * Decides whether the owner of a journal entry may still act. While the owner may act, no other process takes the entry
 * over. Any thread may call this class.
 */
final class Owners {

    private final ProcessStore processes;
    private final FencedProcesses fenced;
    private final ProcessContext context;

    /** @param fenced returns whether a fenced writer has stopped writing */
    Owners(ProcessStore processes, FencedProcesses fenced, ProcessContext context) {
        this.processes = processes;
        this.fenced = fenced;
        this.context = context;
    }

    boolean mayAct(JournalEntry entry) {
        return isLive(entry) || mayStillWrite(entry);
    }

    /**
     * Returns whether the owner is live. The method returns false if this process is the owner: an earlier take-over by
     * this process got no answer, so the process takes the entry over again. It also returns false for a cancelled
     * entry, because the owner of this entry is not a process.
     */
    private boolean isLive(JournalEntry entry) {
        ProcessId owner = new ProcessId(entry.ownership().processId());
        if (owner.text().equals(context.processId()) || Cancellation.hasLeft(entry)) {
            return false;
        }
        return context.retryUntilAnswered(
                "the process " + owner,
                () -> !Liveness.hasEnded(processes, owner, context.time().now()));
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
