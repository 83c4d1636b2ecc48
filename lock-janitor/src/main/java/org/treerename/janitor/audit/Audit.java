package org.treerename.janitor.audit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.request.ParsedRequest;

/**
 * Finds leaks and other irregularities in the contents of the control index. The audit is a pure function of its
 * arguments. {@link TreeAudit} checks the trees. Parked renames and documents with unusual path fields are reported as
 * findings, but they are not leaks. These states may be intended, and no rename loses a document because of them.
 */
public final class Audit {

    /** The kind of irregularity that a finding reports. */
    public enum Kind {
        /** A dead hold, which protects no rename any more. */
        HOLD,
        /**
         * A missing lock: a decided rename needs the lock and does not hold it. So another rename may move the same
         * documents.
         */
        LOCK,
        /** A claim of a rename that has ended or whose entry is in RETRY. */
        CLAIM,
        /**
         * An inconsistent lock table. Either two of its holds exclude each other, or its search keys differ from its
         * holds and claims.
         */
        LOCK_DOCUMENT,
        /** An open journal entry of a rename or of a writer, whose owner is not a live process. */
        ENTRY,
        /** The process document of an ended process. No open journal entry names this process any more. */
        PROCESS,
        /** A path with more than one document. */
        DOUBLED_PATH,
        /** A document whose parent directory has no document, in a namespace where directories are documents. */
        ORPHAN,
        /**
         * Documents whose path field contains a text that is not a valid path. Requests cannot name these documents. A
         * rename of a directory above such a document moves the document.
         */
        INVALID_PATH,
        /** Documents without a path field. No rename moves these documents. */
        NO_PATH,
        /**
         * A document in which a field that is computed from the path does not agree with the path. This finding is no
         * leak, because renames find documents by the path field alone. The next rename of the document corrects the
         * field.
         */
        FIELDS_DISAGREE,
        /**
         * A document in which a path field occurs twice, or does not have the JSON type that the namespace defines. No
         * rename can write this field, so a rename of the document is parked. This finding is no leak, because no
         * document is lost.
         */
        FIELDS_UNWRITABLE,
        /** A decided rename with a document that cannot be moved. An operator must check the document. */
        PARKED;

        /** Returns whether a finding of this kind is a leak. */
        public boolean isLeak() {
            return switch (this) {
                case HOLD, LOCK, CLAIM, LOCK_DOCUMENT, ENTRY, PROCESS, DOUBLED_PATH, ORPHAN -> true;
                case INVALID_PATH, NO_PATH, FIELDS_DISAGREE, FIELDS_UNWRITABLE, PARKED -> false;
            };
        }

        /** Returns whether only an audit that reads the trees can return a finding of this kind. */
        public boolean isOfTrees() {
            return switch (this) {
                case DOUBLED_PATH, ORPHAN, INVALID_PATH, NO_PATH, FIELDS_DISAGREE, FIELDS_UNWRITABLE -> true;
                case HOLD, LOCK, CLAIM, LOCK_DOCUMENT, ENTRY, PROCESS, PARKED -> false;
            };
        }
    }

    /**
     * One irregularity that the audit found.
     *
     * @param text a description for people
     * @param key the identifier of the finding, which is the same in each reading, even if the text changes
     */
    public record Finding(Kind kind, String text, String key) {

        /** Creates a finding whose text never changes. */
        public Finding(Kind kind, String text) {
            this(kind, text, text);
        }

        /** Returns whether both findings have the same kind and key. */
        boolean isSame(Finding other) {
            return kind == other.kind && key.equals(other.key);
        }
    }

    /**
     * The contents of the control index. The locks are read first, then the entries, then the process documents. A
     * process writes its process document before its entries, and an entry before the holds of this entry. So the later
     * reads find the entry of each hold and the process document of each owner. The only exception is a document that
     * was deleted between the reads.
     *
     * @param contradictions see {@link org.treerename.lock.LockStore#contradictions}
     * @param entries the entries that have not ended and the entries that a lock table names, by request id
     * @param needed the locks of the decided renames whose namespaces are known, by request id
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
     * Returns all findings.
     *
     * @param processesSince the limit for process documents. The process document of an ended process is unneeded if
     *     the process started before this time, and no open rename names the process
     */
    public static List<Finding> of(Stored stored, Instant processesSince) {
        Audit audit = new Audit(stored);
        stored.locks().forEach(table -> audit.findings.addAll(LockAudit.of(table, stored.entries())));
        stored.contradictions().forEach(text -> audit.found(Kind.LOCK_DOCUMENT, text));
        stored.entries().values().stream().sorted(JournalEntry.BY_AGE).forEach(audit::check);
        audit.checkProcesses(processesSince);
        return List.copyOf(audit.findings);
    }

    private void found(Kind kind, String text) {
        findings.add(new Finding(kind, text));
    }

    private void found(Kind kind, String text, String key) {
        findings.add(new Finding(kind, text, key));
    }

    private void check(JournalEntry entry) {
        if (entry.state() == State.PARKED) {
            found(Kind.PARKED, describe(entry) + " is PARKED and keeps its locks. Cause: " + entry.parking());
        }
        if (entry.state() == State.MOVING || entry.state() == State.PARKED) {
            LockSet needed = stored.needed().getOrDefault(entry.requestId(), LockSet.NONE);
            needed.modes().forEach((path, mode) -> checkLock(entry, needed.namespace(), path, mode));
        }
        if (entry.state().needsOwner()) {
            ProcessDocument owner =
                    stored.processes().get(new ProcessId(entry.ownership().processId()));
            if (owner == null || owner.state() != ProcessState.LIVE) {
                found(
                        Kind.ENTRY,
                        describe(entry) + " is " + entry.state() + ", and its process "
                                + entry.ownership().processId() + " "
                                + (owner == null
                                        ? "has no process document"
                                        : "is " + owner.state().stored()));
            }
        }
    }

    private void checkLock(JournalEntry entry, String namespace, TreePath path, LockMode mode) {
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
                    describe(entry) + " is " + entry.state() + ", but does not hold the lock on " + path + " in "
                            + namespace + " " + LockAudit.how(mode),
                    namespace + " " + path + " " + entry.requestId());
        }
    }

    private static String describe(JournalEntry entry) {
        ParsedRequest.RenameRequest request = entry.request();
        WriteTarget writeTarget = entry.writeTarget();
        return "request " + entry.requestId()
                + (request == null ? "" : " (" + request.source() + " to " + request.destination() + ")")
                + (writeTarget == null ? "" : " (of a writer into " + writeTarget + ")");
    }

    private void checkProcesses(Instant since) {
        Set<String> needed = stored.entries().values().stream()
                .filter(entry -> entry.state().needsOwner())
                .map(entry -> entry.ownership().processId())
                .collect(Collectors.toSet());
        stored.processes().values().stream()
                .filter(process -> process.isOver(since))
                .filter(process -> !needed.contains(process.id().text()))
                .map(process ->
                        "process " + process.id() + " on " + process.host() + ", started at " + process.startedAt()
                                + ", is " + process.state().stored() + " and owns no open journal entry, but its"
                                + " process document is not deleted")
                .sorted()
                .forEach(text -> found(Kind.PROCESS, text));
    }
}
