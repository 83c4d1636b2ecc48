package org.treerename.rename;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Claim;
import org.treerename.lock.LockTable.Held;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;

/**
 * Finds what must not be in the control index, as a pure function of its contents; {@link TreeAudit} does so for a tree. Parked renames and
 * documents with unusual path fields are findings but no leaks: both may be intended, and no rename loses a document because of them.
 */
public final class Audit {

    /** What can be found. */
    public enum Kind {
        /** A hold that can never count again. */
        HOLD,
        /** A lock that a decided rename needs and does not hold: another rename may move the same documents. */
        LOCK,
        /** A claim of a rename that has ended or was given back. */
        CLAIM,
        /**
         * A lock table whose holds exclude each other, or the table of a document whose search keys are not those of its holds and claims.
         */
        LOCK_DOCUMENT,
        /** A rename that is to be carried on, or a hold of a writer, and its process is not live. */
        ENTRY,
        /** A process document that nobody needs any more. */
        PROCESS,
        /** A path at which more than one document stands. */
        DOUBLED_PATH,
        /** A document above which no directory stands, where directories are documents. */
        ORPHAN,
        /** Documents of which the path field holds no path: requests cannot name them, though they move with what is above them. */
        INVALID_PATH,
        /** Documents without a path field: no rename moves them. */
        NO_PATH,
        /**
         * A document with another path field, its parent or its name, that does not agree with its path. No leak: renames find
         * documents by their paths alone, and the next rename of the document corrects the field.
         */
        FIELDS_DISAGREE,
        /**
         * A document with a path field that no rename can write, because it does not have the JSON type that the namespace
         * defines. No leak: nothing is lost, but a rename of the document is parked.
         */
        FIELDS_UNWRITABLE,
        /** A decided rename of which a document cannot be moved: somebody has to look at it. */
        PARKED;

        public boolean isLeak() {
            return switch (this) {
                case HOLD, LOCK, CLAIM, LOCK_DOCUMENT, ENTRY, PROCESS, DOUBLED_PATH, ORPHAN -> true;
                case INVALID_PATH, NO_PATH, FIELDS_DISAGREE, FIELDS_UNWRITABLE, PARKED -> false;
            };
        }

        /** Whether only a look over the trees can find it. */
        public boolean isOfTrees() {
            return switch (this) {
                case DOUBLED_PATH, ORPHAN, INVALID_PATH, NO_PATH, FIELDS_DISAGREE, FIELDS_UNWRITABLE -> true;
                case HOLD, LOCK, CLAIM, LOCK_DOCUMENT, ENTRY, PROCESS, PARKED -> false;
            };
        }
    }

    /**
     * One thing found.
     *
     * @param text for people
     * @param key identifies what was found; the same in each reading, also where the text changes
     */
    public record Finding(Kind kind, String text, String key) {

        /** One whose text never changes. */
        public Finding(Kind kind, String text) {
            this(kind, text, text);
        }

        /** Returns whether both readings found the same thing. */
        boolean isSame(Finding other) {
            return kind == other.kind && key.equals(other.key);
        }
    }

    /**
     * What stands in the control index. The locks are read first, then the entries, then the processes: who holds a lock
     * had its entry, and who owns an entry its process document, before.
     *
     * @param contradictions see {@link org.treerename.lock.LockStore#contradictions}
     * @param entries by request id: those that have not ended, and those that a lock table names
     * @param needed by request id: the locks of decided renames, as far as their namespaces are known
     */
    public record Stored(
            List<LockTable> locks,
            List<String> contradictions,
            Map<String, JournalEntry> entries,
            Map<ProcessId, ProcessDocument> processes,
            Map<String, LockSet> needed) {
        public Stored {
            locks = List.copyOf(locks);
            contradictions = List.copyOf(contradictions);
            entries = Map.copyOf(entries);
            processes = Map.copyOf(processes);
            needed = Map.copyOf(needed);
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

    private void found(Kind kind, String text, String key) {
        findings.add(new Finding(kind, text, key));
    }

    private void look(LockTable table) {
        String namespace = table.id().namespace();
        for (Held held : table.holds().values()) {
            Hold hold = held.hold();
            whyDead(hold)
                    .ifPresent(why -> held.paths()
                            .forEach((path, mode) -> found(
                                    Kind.HOLD,
                                    path + " in " + namespace + " is held " + how(mode) + " under hold id "
                                            + hold.holdId()
                                            + " by request " + hold.requestId() + " of process " + hold.processId()
                                            + ", "
                                            + why,
                                    namespace + " " + path + " " + hold.requestId())));
        }
        exclusions(table);
        for (Claim claim : table.claims().values()) {
            String requestId = claim.age().requestId();
            whyOver(requestId)
                    .ifPresent(why -> claim.paths()
                            .forEach((path, mode) -> found(
                                    Kind.CLAIM,
                                    path + " in " + namespace + " is claimed " + how(mode) + " by request " + requestId
                                            + ", " + why,
                                    namespace + " " + path + " " + requestId)));
        }
    }

    /** An attempt removes the holds of its own earlier attempts; those of another request refuse it. */
    private void exclusions(LockTable table) {
        List<Held> holds = List.copyOf(table.holds().values());
        for (int i = 0; i < holds.size(); i++) {
            for (Held other : holds.subList(i + 1, holds.size())) {
                if (!holds.get(i).hold().requestId().equals(other.hold().requestId())) {
                    exclusions(table.id(), holds.get(i), other);
                }
            }
        }
    }

    private void exclusions(LockTable.Id table, Held one, Held other) {
        one.paths()
                .forEach((path, mode) -> other.paths().forEach((otherPath, otherMode) -> {
                    if (LockTable.conflict(path, mode, otherPath, otherMode)) {
                        found(
                                Kind.LOCK_DOCUMENT,
                                table + ": " + path + " is held " + how(mode) + " by request "
                                        + one.hold().requestId() + " and " + otherPath + " " + how(otherMode)
                                        + " by request "
                                        + other.hold().requestId());
                    }
                }));
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
        if (entry.state() == State.MOVING || entry.state() == State.PARKED) {
            LockSet needed = stored.needed().getOrDefault(entry.requestId(), LockSet.NONE);
            needed.modes().forEach((path, mode) -> locks(entry, needed.namespace(), path, mode));
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

    private void locks(JournalEntry entry, String namespace, TreePath path, LockMode mode) {
        String holdId = entry.ownership().holdId();
        boolean isHeld = stored.locks().stream()
                .filter(table ->
                        table.id().namespace().equals(namespace) && !table.id().ofDocument())
                .flatMap(table -> table.holds().values().stream())
                .filter(held -> held.hold().holdId().equals(holdId))
                .map(held -> held.paths().get(path))
                .anyMatch(held -> held != null && held.isAtLeast(mode));
        if (!isHeld) {
            found(
                    Kind.LOCK,
                    words(entry) + " is " + entry.state() + ", and does not hold " + path + " in " + namespace + " "
                            + how(mode),
                    namespace + " " + path + " " + entry.requestId());
        }
    }

    private static String words(JournalEntry entry) {
        ParsedRequest.RenameRequest request = entry.request();
        WriteTarget writeTarget = entry.writeTarget();
        return "request " + entry.requestId()
                + (request == null ? "" : " (" + request.source() + " to " + request.destination() + ")")
                + (writeTarget == null ? "" : " (of a writer into " + writeTarget + ")");
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
