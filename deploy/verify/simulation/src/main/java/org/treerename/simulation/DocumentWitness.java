package org.treerename.simulation;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.Sender;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.TreeDocument;
import org.treerename.store.Version;
import org.treerename.tree.Document;
import org.treerename.tree.PathFields;
import org.treerename.tree.RawJson;
import org.treerename.tree.Rename;

/**
 * Checks every write of a document. These rules apply to the writes of a rename:
 *
 * <ul>
 *   <li>A rename removes documents before its first move, and not after this move.
 *   <li>Each write removes a document, or moves a document from its old path to its new path. The write takes effect
 *       after the commit of the rename, and before the rename is DONE. The rename was decided for this index, and holds
 *       its locks.
 * </ul>
 */
final class DocumentWitness {

    private final Cluster cluster;
    private final Stage stage;
    private final Namespace files;
    private final LockWitness locks;
    private final DecisionWitness decisions;
    private final Witness.Removed removed;

    /** The request ids of the renames that have moved a document. */
    private final Set<String> haveMoved = new HashSet<>();

    DocumentWitness(World world, Tree tree, LockWitness locks, DecisionWitness decisions, Witness.Removed removed) {
        this.cluster = world.cluster();
        this.stage = world.stage();
        this.files = tree.namespace();
        this.locks = locks;
        this.decisions = decisions;
        this.removed = removed;
    }

    /**
     * Checks a write of a document. The allowed writes depend on the sender: an {@link OutsideWriter}, a writer with a
     * hold, or a process of a rename.
     */
    void wrote(Sender sender, String index, String id, @Nullable TreeDocument before, @Nullable TreeDocument after) {
        stage.report(
                sender.name(),
                () -> "has written " + id + ", now "
                        + (after == null ? "gone" : "at " + after.text(World.FILES.pathField())));
        if (id.startsWith(Witness.OUTSIDE)) {
            decisions.outsideWrote();
        }
        if (sender.name().startsWith(ReplacedFiles.PREFIX)) {
            decisions.sharesAPath(id);
        }
        if (sender.name().startsWith(Witness.OUTSIDE)) {
            wroteOutside(id, before, after);
        } else if (before == null && after != null && id.startsWith(Witness.HELD)) {
            wroteUnderHold(sender, id, after);
        } else if (before == null) {
            stage.violated(Point.DOCUMENTS, sender, "creates the document " + id);
        } else if (!isOnceMore(before, after)) {
            wroteForRename(sender, index, id, before, after);
        }
    }

    private void wroteOutside(String id, @Nullable TreeDocument before, @Nullable TreeDocument after) {
        boolean edited = before != null
                && after != null
                && Objects.equals(before.text(World.FILES.pathField()), after.text(World.FILES.pathField()));
        if (!edited) {
            decisions.needsNoMove(id);
        }
    }

    private void wroteUnderHold(Sender sender, String id, TreeDocument after) {
        String path = String.valueOf(after.text(World.FILES.pathField()));
        stage.tally().count(Happening.WRITE_UNDER_A_HOLD);
        locks.noneUnderWay(
                sender, LockPolicy.of(files).ofWriter("files", List.of(new TreePath(path).parent())), "writes into");
        decisions.model().add(id, path, false);
    }

    private void wroteForRename(
            Sender sender, String index, String id, TreeDocument before, @Nullable TreeDocument after) {
        JournalEntry processed = sender.processing();
        Optional<JournalEntry> found = processed == null
                ? Optional.empty()
                : cluster.control(SimulatedJournal.id(processed.requestId()), JournalEntry.class);
        if (found.isEmpty()
                || !(found.get().state() == State.MOVING || found.get().state() == State.PARKED)) {
            stage.violated(
                    Point.WITHIN_THE_INTERVAL,
                    sender,
                    "writes " + id + " for " + (processed == null ? "no request" : processed.requestId())
                            + ": expected a journal entry in the state MOVING or PARKED, found "
                            + found.map(entry -> entry.state().name()).orElse("no entry"));
            return;
        }
        String uuid = found.get().decided().orElseThrow().indices().get(index);
        if (uuid == null || !cluster.isStill(index, uuid)) {
            stage.violated(
                    Point.DOCUMENTS,
                    sender,
                    "writes " + id + " for " + found.get().requestId() + ", which was not decided for the index "
                            + index);
        }
        Rename rename = Witness.rename(found.get(), files).orElseThrow();
        locks.holdsAll(sender, found.get(), rename.lockSet(), "writes " + id);
        if (after == null) {
            removed(sender, found.get(), rename, id, before);
        } else {
            String from = before.text(files.pathField());
            // if an outside writer created a document after the locks were acquired, the rename has not locked this
            // document
            if (rename.lockSet().isOpen() && from != null && !id.startsWith(Witness.OUTSIDE)) {
                LockSet own = LockSet.documents(files.name(), List.of(new TreePath(from)));
                locks.holdsAll(sender, found.get(), own, "moves " + id);
            }
            moved(sender, rename, id, before, after);
        }
    }

    /**
     * Returns whether a write repeats the current contents of the document, as a seal does. With {@code external_gte}
     * Elasticsearch also accepts a late write that has the current version.
     */
    static boolean isOnceMore(@Nullable TreeDocument before, @Nullable TreeDocument after) {
        return before != null && after != null && before.source().equals(after.source());
    }

    private void removed(Sender sender, JournalEntry entry, Rename rename, String id, TreeDocument before) {
        stage.happened(Happening.REMOVAL, sender.name(), () -> "has removed " + id);
        if (id.startsWith(Witness.OUTSIDE)) {
            stage.tally().count(Happening.REMOVAL_OF_AN_OUTSIDE_FILE);
        }
        boolean decided = entry.decided().orElseThrow().removals().stream()
                .map(Document.Ref::id)
                .anyMatch(id::equals);
        String path = before.text(World.FILES.pathField());
        if (!decided || !rename.destination().text().equals(path)) {
            stage.violated(Point.DOCUMENTS, sender, "removes " + id + " at " + path + " for " + rename.requestId());
        }
        if (haveMoved.contains(rename.requestId())) {
            stage.violated(
                    Point.DOCUMENTS,
                    sender,
                    "removes " + id + " at " + path + " for " + rename.requestId()
                            + ", which has already moved documents; expected removals before moves");
        }
        removed.by(rename, id);
    }

    private void moved(Sender sender, Rename rename, String id, TreeDocument before, TreeDocument after) {
        if (id.startsWith(Witness.HELD)) {
            stage.tally().count(Happening.RENAME_OF_WHAT_WAS_WRITTEN);
        }
        String from = before.text(files.pathField());
        if (from == null || !Witness.isAtOrBelow(from, rename.source())) {
            stage.violated(
                    Point.DOCUMENTS,
                    sender,
                    "moves " + id + ", which is at " + from + ", for " + rename.requestId() + " from "
                            + rename.source());
            return;
        }
        haveMoved.add(rename.requestId());
        Document read =
                new Document(new Document.Ref(files.index(), id, null, new Version(0, 0)), from, before.source());
        Optional<RawJson> expected = PathFields.moved(files, rename.move(read));
        if (!expected.equals(Optional.of(after.source()))) {
            stage.violated(Point.DOCUMENTS, sender, "expected " + expected + " in " + id + ", found " + after.source());
        }
    }
}
