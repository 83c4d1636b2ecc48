package org.treerename.simulation;

import java.util.List;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.process.ForwardingProcessStore;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;
import org.treerename.tree.ForwardingMoveStream;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.MoveStream;
import org.treerename.tree.MoveStream.MoveResult;
import org.treerename.tree.TreeStore;

/** Counts the version conflicts in the answers of stores. */
record Tallied(Stage stage) {

    /** Receives a call before each move of documents, and before each scan after a move without an answer. */
    interface Ears {
        void moves();

        /**
         * The process begins a scan, and does not know whether earlier moves of the scanned documents have arrived.
         */
        void scans();
    }

    Journal of(Journal journal) {
        return new OfJournal(journal, this);
    }

    ProcessStore of(ProcessStore processes) {
        return new OfProcesses(processes, this);
    }

    /**
     * Returns a tree store that also reports moves and scans.
     *
     * @param uncertain whether another process may have begun to move the documents that this process moves
     */
    TreeStore of(TreeStore tree, boolean uncertain, Ears ears) {
        return new OfTree(tree, this, uncertain, ears);
    }

    private void count(Happening conflict) {
        stage.happened(
                conflict, stage.scheduler().current().actor().name(), () -> "gets a version conflict: " + conflict);
    }

    private WriteResult counted(WriteResult result, Happening conflict) {
        if (result instanceof WriteResult.Conflict) {
            count(conflict);
        }
        return result;
    }

    private record OfJournal(Journal journal, Tallied tallied) implements ForwardingJournal {

        @Override
        public Prepared prepare(Attempt attempt) {
            Prepared prepared = journal.prepare(attempt);
            tallied.counted(prepared.entry(), Happening.CONFLICT_AT_PREPARE);
            return prepared;
        }

        @Override
        public WriteResult create(JournalStep step, JournalEntry entry) {
            return tallied.counted(journal.create(step, entry), Happening.CONFLICT_AT_PREPARE);
        }

        @Override
        public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
            return tallied.counted(journal.write(step, entry, seen), conflict(step));
        }

        private static Happening conflict(JournalStep step) {
            return switch (step) {
                case ATTEMPT, FURTHER_LOCKS, PLACEHOLDER -> Happening.CONFLICT_AT_PREPARE;
                case RETRY -> Happening.CONFLICT_AT_RETRY;
                case COMMIT -> Happening.CONFLICT_AT_COMMIT;
                case REMOVALS, PROGRESS, PARK, RESUME -> Happening.CONFLICT_AT_PROGRESS;
                case END -> Happening.CONFLICT_AT_DONE;
                case CLOSE -> Happening.CONFLICT_AT_CLOSED;
                case TAKE_OVER, NOT_DELIVERED, PICK_UP, REPLACE_PLACEHOLDER -> Happening.CONFLICT_AT_TAKE_OVER;
                case NO_OP, CANCEL, ABANDON -> Happening.CONFLICT_AT_TOUCH;
            };
        }
    }

    private record OfProcesses(ProcessStore processes, Tallied tallied) implements ForwardingProcessStore {

        @Override
        public WriteResult write(ProcessDocument document, Version seen) {
            return tallied.counted(
                    processes.write(document, seen),
                    document.state() == ProcessState.FENCED
                            ? Happening.CONFLICT_AT_FENCE
                            : Happening.CONFLICT_AT_HEARTBEAT);
        }
    }

    private static final class OfTree implements ForwardingTreeStore {

        private final TreeStore tree;
        private final Tallied tallied;
        private final Ears ears;
        private boolean uncertain;

        OfTree(TreeStore tree, Tallied tallied, boolean uncertain, Ears ears) {
            this.tree = tree;
            this.tallied = tallied;
            this.uncertain = uncertain;
            this.ears = ears;
        }

        @Override
        public TreeStore tree() {
            return tree;
        }

        private List<Written> counted(List<Written> answers, Happening conflict) {
            for (Written answer : answers) {
                if (answer instanceof Written.Unknown unknown && unknown.why().startsWith("409")) {
                    tallied.count(conflict);
                }
            }
            return answers;
        }

        @Override
        public Scan scan(Namespace namespace, TreePath path, Reach reach) {
            if (uncertain) {
                ears.scans();
            }
            return tree.scan(namespace, path, reach);
        }

        @Override
        public List<Written> move(Namespace namespace, List<Move> moves) {
            ears.moves();
            boolean before = uncertain;
            uncertain = true;
            List<Written> answers = counted(tree.move(namespace, moves), Happening.CONFLICT_AT_MOVE);
            uncertain = before;
            return answers;
        }

        @Override
        public MoveStream moves(Namespace namespace) {
            return new OfMoves(tree.moves(namespace), this);
        }

        private List<MoveResult> noted(List<MoveResult> results) {
            for (MoveResult result : results) {
                uncertain = uncertain || result.silence() != null;
                counted(result.written(), Happening.CONFLICT_AT_MOVE);
            }
            return results;
        }

        @Override
        public List<Written> remove(List<Removal> removals) {
            return counted(tree.remove(removals), Happening.CONFLICT_AT_REMOVAL);
        }
    }

    private record OfMoves(MoveStream stream, OfTree store) implements ForwardingMoveStream {

        @Override
        public List<MoveResult> send(List<TreeStore.Move> moves) {
            store.ears.moves();
            return store.noted(stream.send(moves));
        }

        @Override
        public List<MoveResult> finish() {
            return store.noted(stream.finish());
        }
    }
}
