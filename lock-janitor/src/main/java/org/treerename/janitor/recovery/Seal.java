package org.treerename.janitor.recovery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Decision;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Progress;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespaces;
import org.treerename.path.TreePath;
import org.treerename.rename.Validation;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Versioned;
import org.treerename.tree.Condition;
import org.treerename.tree.Document;
import org.treerename.tree.MoveStream;
import org.treerename.tree.MoveStream.MoveResult;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;
import org.treerename.tree.TreeStore.Written;

/**
 * Seals the documents that a parked rename has not moved: writes each document once more, at its path, in the version
 * that was read. So a move or a removal that was sent earlier is refused, however late it arrives. The write of a seal
 * may itself arrive late: it replaces only the version that was read, by the same content. With versions of another
 * system it may replace a lower version, as the move of the document would. Any thread may call this class.
 *
 * <p>A seal has no effect if the versions are {@code external_gte}, because Elasticsearch accepts a late move in the
 * same version. So these documents are not written, and count as not sealed. A seal does not reach an index that has
 * left the tree. In an index that does not permit renames, no document is written.
 */
final class Seal {

    private static final Logger log = LoggerFactory.getLogger(Seal.class);

    /** The maximum number of passes, because other programs may change documents all the time. */
    static final int MOST_PASSES = 10;

    /** The maximum number of documents that the result names. */
    static final int SHOWN = 10;

    private final Namespaces namespaces;
    private final TreeStore tree;

    Seal(Namespaces namespaces, TreeStore tree) {
        this.namespaces = namespaces;
        this.tree = tree;
    }

    /** Counts the documents, and writes none. */
    Unmoved count(Versioned<JournalEntry> parked) {
        return unmoved(parked, rename -> {
            Pass pass = new Pass(parked.value(), rename, false);
            pass.run();
            return pass;
        });
    }

    /**
     * Seals the documents in passes. In two passes in a row, every write must be acknowledged or refused. The node that
     * answers the first of these passes may be cut off, and may show a move that is never acknowledged. The refresh of
     * the second pass reaches every copy, so it proves that the node of the first pass was not cut off.
     */
    Unmoved seal(Versioned<JournalEntry> parked) {
        return unmoved(parked, rename -> {
            Pass pass;
            int passes = 0;
            int complete = 0;
            do {
                pass = new Pass(parked.value(), rename, true);
                pass.run();
                passes++;
                complete = pass.unknown == 0 ? complete + 1 : 0;
            } while (complete < 2 && passes < MOST_PASSES);
            if (complete < 2) {
                // nothing has confirmed the last pass
                pass.unknown = Math.max(pass.unknown, pass.documents);
            }
            return pass;
        });
    }

    /** Runs the passes over the documents of a rename, and returns the last pass. */
    private interface Passes {
        Pass run(Rename rename);
    }

    private Unmoved unmoved(Versioned<JournalEntry> parked, Passes passes) {
        try {
            return switch (Validation.of(parked.value().asked(), this::namespace)) {
                case Validation.Valid valid -> {
                    Pass last = passes.run(valid.rename());
                    yield last.gone.isEmpty()
                            ? new Unmoved(parked, last.documents, last.first, last.refused + last.unknown, null)
                            : uncounted(parked, "indices that do not belong to the tree any more: " + last.gone);
                }
                case Validation.Invalid invalid -> uncounted(parked, invalid.message());
                case Validation.Hopeless hopeless -> uncounted(parked, hopeless.message());
            };
        } catch (RefusedException e) {
            return uncounted(parked, "the tree cannot be read or written: " + e.getMessage());
        }
    }

    /** Returns the definition of a namespace; empty if there is no definition, or if it cannot be used. */
    private Optional<Namespace> namespace(String name) {
        try {
            return namespaces.find(name);
        } catch (NoAnswerException e) {
            throw e;
        } catch (RuntimeException e) {
            log.warn("cannot read the definition of namespace {}: {}; continuing without it", name, e.getMessage());
            return Optional.empty();
        }
    }

    private static Unmoved uncounted(Versioned<JournalEntry> parked, String problem) {
        Progress progress = parked.value().progress();
        return new Unmoved(parked, Math.max(0, progress.expected() - progress.moved()), List.of(), 0, problem);
    }

    /** One scan of the documents at and below the source. Only one thread calls this class. */
    private final class Pass {
        private final JournalEntry entry;
        private final Decision decision;
        private final Rename rename;
        private final boolean seals;
        private final List<String> first = new ArrayList<>();
        private long documents;
        private long refused;
        private long unknown;

        /** The indices of the commit that do not belong to the tree any more. */
        private Set<String> gone = Set.of();

        Pass(JournalEntry entry, Rename rename, boolean seals) {
            this.entry = entry;
            this.decision = entry.decided()
                    .orElseThrow(() -> new IllegalStateException("request " + entry.requestId() + " is not decided"));
            this.rename = rename;
            this.seals = seals;
        }

        void run() {
            try (Scan scan = tree.scan(rename.namespace(), rename.source(), Reach.AT_OR_BELOW)) {
                compare();
                for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
                    documents += page.size();
                    page.stream()
                            .limit(SHOWN - first.size())
                            .map(document -> document.ref().id())
                            .forEach(first::add);
                    seal(page);
                }
            }
            boolean mayStillRemove = entry.progress().unreplaced() == null;
            if (mayStillRemove && !decision.removals().isEmpty()) {
                sealReplaced(rename.destination());
            }
        }

        /**
         * Compares the indices of the tree with those of the commit.
         *
         * @throws RefusedException if an index does not permit renames; a write could then change or lose a document
         */
        private void compare() {
            Map<String, String> now = tree.indices(rename.namespace());
            gone = new TreeSet<>(decision.indices().keySet());
            gone.removeIf(name -> decision.indices().getOrDefault(name, "").equals(now.get(name)));
        }

        private void sealReplaced(TreePath path) {
            try (Scan scan = tree.scan(rename.namespace(), path, Reach.AT)) {
                for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
                    seal(page);
                }
            }
        }

        private void seal(List<Document> page) {
            List<Move> writes =
                    page.stream().flatMap(document -> seal(document).stream()).toList();
            if (writes.isEmpty()) {
                return;
            }
            compare();
            try (MoveStream stream = tree.moves(rename.namespace())) {
                stream.send(writes).forEach(this::count);
                stream.finish().forEach(this::count);
            }
        }

        /**
         * Returns the write that seals a document. Returns empty if no move of this document can succeed: its index did
         * not exist at the commit, its version is too new, or it has no version. Also returns empty if a seal has no
         * effect.
         */
        private Optional<Move> seal(Document document) {
            if (!seals || !decision.indices().containsKey(document.ref().index())) {
                return Optional.empty();
            }
            Optional<Condition> movable =
                    rename.condition(document).filter(condition -> !condition.isOlderThan(document.ref()));
            if (movable.filter(Pass::acceptsRepetition).isPresent()) {
                refused++;
                return Optional.empty();
            }
            return movable.map(condition -> new Move(document, document.path(), UnaryOperator.identity(), condition));
        }

        /** Returns whether a write with this condition succeeds again after it has succeeded. */
        private static boolean acceptsRepetition(Condition condition) {
            return condition instanceof Condition.Above above && above.orEqual();
        }

        private void count(MoveResult result) {
            if (result.silence() != null) {
                throw result.silence();
            }
            for (Written written : result.written()) {
                switch (written) {
                    case Written.Done done -> {
                        // the document is sealed
                    }
                    case Written.Refused why -> refused++;
                    case Written.Unknown why -> unknown++;
                }
            }
        }
    }
}
