package org.treerename.rename;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.treerename.lock.Hold;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockDocument.Claim;
import org.treerename.lock.LockDocument.Held;
import org.treerename.lock.LockMode;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;

/**
 * What must not stand in the control index (and, by {@link TreeAudit}, in a tree), as a pure function of what stands there. Parked renames are told, too, but are
 * no leak: their locks are kept on purpose.
 */
public final class Audit {

    /** What can be found. */
    public enum Kind {
        /** A hold that can never count again. */
        HOLD,
        /** A claim of a rename that has ended or was given back. */
        CLAIM,
        /** A lock document whose count, type or search keys are not those of its holds and claims. */
        LOCK_DOCUMENT,
        /** A rename that is to be carried on, or a hold of a writer, and its process is not live. */
        ENTRY,
        /** A process document that nobody needs any more. */
        PROCESS,
        /** A path at which more than one document stands. */
        DOUBLED_PATH,
        /** A document above which no directory stands, where directories are documents. */
        ORPHAN,
        /** Documents of which the path field holds no path. */
        INVALID_PATH,
        /** A decided rename of which a document cannot be moved: somebody has to look at it. */
        PARKED;

        public boolean isLeak() {
            return this != PARKED;
        }

        /** Whether only a look over the trees can find it. */
        public boolean isOfTrees() {
            return switch (this) {
                case DOUBLED_PATH, ORPHAN, INVALID_PATH -> true;
                case HOLD, CLAIM, LOCK_DOCUMENT, ENTRY, PROCESS, PARKED -> false;
            };
        }
    }

    /**
     * One thing found.
     *
     * @param text in words, the same as long as it stands
     */
    public record Finding(Kind kind, String text) {}

    /**
     * What stands in the control index. The locks are read first, then the entries, then the processes: who holds a lock
     * had its entry, and who owns an entry its process document, before.
     *
     * @param contradictions see {@link org.treerename.lock.LockStore#contradictions}
     * @param entries by request id: those that have not ended, and those that a lock document names
     */
    public record Stored(
            List<LockDocument> locks,
            List<String> contradictions,
            Map<String, JournalEntry> entries,
            Map<ProcessId, ProcessDocument> processes) {
        public Stored {
            locks = List.copyOf(locks);
            contradictions = List.copyOf(contradictions);
            entries = Map.copyOf(entries);
            processes = Map.copyOf(processes);
        }
    }

    private final Stored stored;
    private final List<Finding> findings = new ArrayList<>();

    private Audit(Stored stored) {
        this.stored = stored;
    }

    /**
     * Audits.
     *
     * @param processesSince an ended process that was started before this, and that no open rename names, is needed by
     *     nobody
     */
    public static List<Finding> of(Stored stored, Instant processesSince) {
        Audit audit = new Audit(stored);
        stored.locks().forEach(audit::look);
        stored.contradictions().forEach(words -> audit.found(Kind.LOCK_DOCUMENT, words));
        stored.entries().values().stream().sorted(JournalEntry.BY_AGE).forEach(audit::look);
        audit.processes(processesSince);
        return List.copyOf(audit.findings);
    }

    private void found(Kind kind, String text) {
        findings.add(new Finding(kind, text));
    }

    private void look(LockDocument lock) {
        for (Held held : lock.holds().values()) {
            Hold hold = held.hold();
            whyDead(hold).ifPresent(why -> {
                String where = lock.path() + " in " + lock.namespace() + " is held " + how(held.mode());
                found(
                        Kind.HOLD,
                        where + " under hold id " + hold.holdId() + " by request " + hold.requestId() + " of process "
                                + hold.processId() + ", " + why);
            });
        }
        for (Claim claim : lock.claims().values()) {
            String requestId = claim.age().requestId();
            whyOver(requestId).ifPresent(why -> {
                String where = lock.path() + " in " + lock.namespace() + " is claimed " + how(claim.mode());
                found(Kind.CLAIM, where + " by request " + requestId + ", " + why);
            });
        }
    }

    private static String how(LockMode mode) {
        return mode == LockMode.EXCLUSIVE ? "exclusively" : "as shared";
    }

    private Optional<JournalEntry> entry(String requestId) {
        return Optional.ofNullable(stored.entries().get(requestId));
    }

    private Optional<String> whyDead(Hold hold) {
        Optional<JournalEntry> entry = entry(hold.requestId());
        if (entry.isEmpty()) {
            return Optional.of("which has no journal entry");
        }
        if (!entry.get().state().mayHold()) {
            return Optional.of("whose journal entry is " + entry.get().state());
        }
        String counts = entry.get().ownership().holdId();
        return hold.holdId().equals(counts)
                ? Optional.empty()
                : Optional.of("whose journal entry is " + entry.get().state()
                        + (counts == null ? " without a hold" : " under hold id " + counts));
    }

    private Optional<String> whyOver(String requestId) {
        Optional<JournalEntry> entry = entry(requestId);
        if (entry.isEmpty()) {
            return Optional.of("which has no journal entry");
        }
        return entry.get().mayClaim()
                ? Optional.empty()
                : Optional.of("whose journal entry is " + entry.get().state());
    }

    private void look(JournalEntry entry) {
        if (entry.state() == State.PARKED) {
            found(Kind.PARKED, words(entry) + " is PARKED with its locks kept: " + entry.parking());
        }
        if (entry.state().needsOwner()) {
            ProcessDocument owner =
                    stored.processes().get(new ProcessId(entry.ownership().processId()));
            if (owner == null || owner.state() != ProcessState.LIVE) {
                found(
                        Kind.ENTRY,
                        words(entry) + " is " + entry.state() + ", and its process "
                                + entry.ownership().processId() + " "
                                + (owner == null
                                        ? "has no process document"
                                        : "is " + owner.state().stored()));
            }
        }
    }

    private static String words(JournalEntry entry) {
        Asked.RenameRequest request = entry.request();
        Writing writing = entry.writing();
        return "request " + entry.requestId()
                + (request == null ? "" : " (" + request.source() + " to " + request.destination() + ")")
                + (writing == null ? "" : " (of a writer into " + writing + ")");
    }

    private void processes(Instant since) {
        Set<String> needed = stored.entries().values().stream()
                .filter(entry -> entry.state().needsOwner())
                .map(entry -> entry.ownership().processId())
                .collect(Collectors.toSet());
        stored.processes().values().stream()
                .filter(process -> process.isOver(since))
                .filter(process -> !needed.contains(process.id().text()))
                .map(process -> "process " + process.id() + " on " + process.host() + ", started at "
                        + process.startedAt() + ", is " + process.state().stored() + ", and nobody needs its document")
                .sorted()
                .forEach(words -> found(Kind.PROCESS, words));
    }
}
