package org.treerename.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.path.TreePath;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.Sender;
import org.treerename.tree.Document;
import org.treerename.tree.Rename;

/**
 * Checks each decision against the tree that results from the earlier decisions. Checks each completed rename against
 * the documents. Outside writers are writers without locks ({@link OutsideWriter}).
 */
final class DecisionWitness {

    private final Cluster cluster;
    private final Stage stage;
    private final Tree tree;
    private final RequestOrder order;
    private final LockWitness locks;
    private final ModelTree model = new ModelTree();
    private final Set<String> committed = new HashSet<>();

    /** The documents that each committed rename must move, by request id. */
    private final Map<String, Set<String>> owedOf = new HashMap<>();

    private final Set<Set<String>> outsideSoFar = new LinkedHashSet<>();

    /** The documents that may be at the path of another document. */
    private final Set<String> mayShareAPath = new HashSet<>();

    DecisionWitness(World world, Tree tree, RequestOrder order, LockWitness locks) {
        this.cluster = world.cluster();
        this.stage = world.stage();
        this.tree = tree;
        this.order = order;
        this.locks = locks;
    }

    ModelTree model() {
        return model;
    }

    boolean isCommitted(String requestId) {
        return committed.contains(requestId);
    }

    /** Compares a commit or a rejection with the model, and a completed rename with the documents. */
    void changed(Sender sender, EntryChange change) {
        JournalEntry entry = change.after();
        if (change.step() == JournalStep.COMMIT && change.decides()) {
            commit(sender, entry);
        } else if (change.ends() && entry.state() == State.REJECTED && entry.request() != null) {
            reject(sender, entry, entry.request());
        } else if (change.ends() && entry.state() == State.DONE) {
            done(sender, entry);
        }
    }

    private void commit(Sender sender, JournalEntry entry) {
        Rename rename = rename(entry).orElseThrow();
        if (!committed.add(entry.requestId())) {
            stage.violated(Point.ONCE, sender, entry.requestId() + " is committed twice");
        }
        List<String> unended = order.unended(entry.requestId());
        if (!unended.isEmpty()) {
            stage.violated(
                    Point.SERIAL_ORDER,
                    sender,
                    entry.requestId() + " is committed before the end of its predecessors " + unended);
        }
        List<String> overtaken = order.overtaken(rename, entry.place());
        if (!overtaken.isEmpty()) {
            stage.violated(
                    Point.SERIAL_ORDER,
                    sender,
                    entry.requestId() + " at " + entry.place()
                            + " is committed before the end of earlier conflicting requests in the log: " + overtaken);
        }
        locks.committed(sender, entry, rename);
        Set<ModelTree.Expected> right = model.expected(rename, outsideSoFar);
        if (right.stream().noneMatch(ModelTree.Expected.Go.class::isInstance)) {
            stage.violated(
                    Point.SERIAL_ORDER,
                    sender,
                    entry.requestId() + " (" + rename.source() + " to " + rename.destination()
                            + ") is committed, expected one of " + right);
        }
        Set<String> ids = new HashSet<>();
        tree.documents(cluster).forEach(stored -> {
            String path = stored.document().text(World.FILES.pathField());
            if (path != null && !rename.changesNothing() && Witness.isAtOrBelow(path, rename.source())) {
                ids.add(stored.id());
            }
        });
        owedOf.put(entry.requestId(), ids);
        model.apply(rename, entry.decided().orElseThrow().removals());
        if (tree.isSecond()) {
            stage.tally().count(Happening.SECOND_TREE_RENAMED);
        }
        if (rename.sourceId() != null) {
            stage.tally().count(Happening.UNDO_COMPLETED);
        }
        if (Objects.requireNonNull(entry.request()).replayOf() != null) {
            stage.tally().count(Happening.REPLAY_COMPLETED);
        }
    }

    private void reject(Sender sender, JournalEntry entry, RenameRequest request) {
        Optional<Rename> rename = TreePath.problem(request.source()).isPresent() ? Optional.empty() : rename(entry);
        Reason reason =
                OutcomeCodec.decode(entry.ended().orElseThrow().outcome()).reason();
        if (reason == Reason.UNKNOWN_PREDECESSOR) {
            stage.tally().count(Happening.UNKNOWN_PREDECESSOR);
            if (!order.hasPredecessor(entry.requestId())) {
                stage.violated(
                        Point.SERIAL_ORDER,
                        sender,
                        entry.requestId() + " has no predecessor, but is rejected as " + reason);
            }
            return;
        }
        if (rename.isEmpty()) {
            if (reason != Reason.INVALID_PATH) {
                stage.violated(
                        Point.SERIAL_ORDER,
                        sender,
                        entry.requestId() + " is rejected as " + reason + ", expected " + Reason.INVALID_PATH);
            }
            return;
        }
        if (reason == Reason.SOURCE_NOT_FOUND && model.hasAnotherSource(rename.get())) {
            stage.tally().count(Happening.UNDO_OF_ANOTHER_DOCUMENT);
        }
        Set<ModelTree.Expected> right = model.expected(rename.get(), outsideSoFar);
        if (reason == Reason.OLDER_VERSION ? !mayBeOlder(rename.get(), right) : !isRight(reason, right)) {
            stage.violated(
                    Point.SERIAL_ORDER,
                    sender,
                    entry.requestId() + " (" + request.source() + " to " + request.destination() + ") is rejected as "
                            + reason + ", expected one of " + right);
        }
    }

    private static boolean isRight(@Nullable Reason reason, Set<ModelTree.Expected> right) {
        return reason != null && right.contains(new ModelTree.Expected.No(reason));
    }

    /**
     * {@link Reason#OLDER_VERSION} is correct if the model allows the rename, and a document at the source or the
     * destination is too new, or an outside writer has had a document at one of these paths.
     */
    private boolean mayBeOlder(Rename rename, Set<ModelTree.Expected> right) {
        List<String> ends = List.of(rename.source().text(), rename.destination().text());
        boolean isNewer = tree.documents(cluster).stream()
                .filter(stored -> ends.contains(String.valueOf(stored.document().text(World.FILES.pathField()))))
                .map(stored -> new Document.Ref(stored.index(), stored.id(), null, stored.version(), stored.external()))
                .anyMatch(ref -> rename.removal(ref).condition().isOlderThan(ref));
        boolean wasOutside = outsideSoFar.stream().flatMap(Set::stream).anyMatch(ends::contains);
        return (isNewer || wasOutside) && right.stream().anyMatch(ModelTree.Expected.Go.class::isInstance);
    }

    private Set<String> outside() {
        Set<String> paths = new HashSet<>();
        tree.documents(cluster).forEach(stored -> {
            String path = stored.document().text(World.FILES.pathField());
            if (stored.id().startsWith(Witness.OUTSIDE) && path != null) {
                paths.add(path);
            }
        });
        return paths;
    }

    private void done(Sender sender, JournalEntry entry) {
        Rename rename = rename(entry).orElseThrow();
        Set<String> ids = owedOf.getOrDefault(entry.requestId(), Set.of());
        tree.documents(cluster).forEach(stored -> {
            String path = stored.document().text(World.FILES.pathField());
            if (path == null) {
                return;
            }
            if (isLeft(rename, entry, stored)) {
                left(sender, rename, stored, path);
            } else if (ids.contains(stored.id()) && Witness.isAtOrBelow(path, rename.source())) {
                stage.violated(
                        Point.ALL_OR_NOTHING,
                        sender,
                        entry.requestId() + " is DONE, but " + stored.id() + " is still at " + path);
            }
        });
    }

    /**
     * Returns whether a document is still at the path where the rename found the document, and may be there: it has a
     * version that is too new for the rename, or the rename was abandoned.
     */
    static boolean isLeft(Rename rename, JournalEntry entry, Cluster.StoredDocument stored) {
        String path = String.valueOf(stored.document().text(World.FILES.pathField()));
        boolean isFound = !rename.changesNothing()
                && (Witness.isAtOrBelow(path, rename.source())
                        || (path.equals(rename.destination().text())
                                && !(isAbandoned(entry) && entry.progress().unreplaced() != null)
                                && entry.decided().orElseThrow().removals().stream()
                                        .anyMatch(ref -> ref.id().equals(stored.id()))));
        Document.Ref ref = new Document.Ref(stored.index(), stored.id(), null, stored.version(), stored.external());
        return isFound && (isAbandoned(entry) || rename.removal(ref).condition().isOlderThan(ref));
    }

    private static boolean isAbandoned(JournalEntry entry) {
        return entry.ended()
                .map(ending -> OutcomeCodec.decode(ending.outcome()).status())
                .filter(Status.ABANDONED::equals)
                .isPresent();
    }

    /** The document is too new, or the rename was abandoned. From now on the model has it at its current path. */
    private void left(Sender sender, Rename rename, Cluster.StoredDocument stored, String path) {
        stage.happened(
                Happening.REFUSED_AS_NEWER, sender.name(), () -> rename.requestId() + " does not move " + stored.id());
        if (path.equals(rename.destination().text())) {
            mayShareAPath.add(stored.id());
        }
        if (!stored.id().startsWith(Witness.OUTSIDE)) {
            model.leave(stored.id(), path, "directory".equals(stored.document().text("type")));
        }
    }

    /**
     * Returns whether a document may be at the path of another document. This is allowed in two cases. First, a rename
     * had to replace the document, but another system wrote a newer version during the rename, or the rename was
     * abandoned before it replaced the document. Second, an outside
     * program created the replaced document again.
     */
    boolean mayShareAPath(String id) {
        return mayShareAPath.contains(id);
    }

    private Optional<Rename> rename(JournalEntry entry) {
        return Witness.rename(entry, tree.namespace());
    }

    /** Adds the current paths of outside writers' documents to the states with which decisions are compared. */
    void outsideWrote() {
        outsideSoFar.add(outside());
    }

    /** Allows a document to be at the path of another document. */
    void sharesAPath(String id) {
        mayShareAPath.add(id);
    }

    /**
     * Removes a document from the documents that renames must move. An outside writer has created, moved or deleted the
     * document.
     */
    void needsNoMove(String id) {
        owedOf.values().forEach(ids -> ids.remove(id));
    }
}
