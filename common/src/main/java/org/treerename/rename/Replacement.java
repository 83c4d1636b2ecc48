package org.treerename.rename;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.treerename.process.ProcessContext;
import org.treerename.rename.DecidedRename.Stop;
import org.treerename.runtime.Backoff;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.Document;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;
import org.treerename.tree.TreeStore.Written;

/**
 * Deletes the documents that a decided rename replaces at its destination. One thread uses each instance, for one
 * rename.
 */
final class Replacement {

    private final TreeStore tree;
    private final ProcessContext context;
    private final DecidedRename decided;
    private final Rename rename;

    /** The number of documents at the destination that are not replaced, because they are too new for the request. */
    private int unreplaced;

    Replacement(TreeStore tree, ProcessContext context, DecidedRename decided) {
        this.tree = tree;
        this.context = context;
        this.decided = decided;
        this.rename = decided.rename();
    }

    /**
     * Deletes the documents that the rename replaces, unless the entry shows that the removals are complete. The steps
     * are:
     *
     * <ol>
     *   <li>Delete each document that still has the version that the commit recorded. If the process dies here, the
     *       next owner repeats this step.
     *   <li>If the store does not confirm a deletion, a client without locks may have changed the document. So search
     *       for the document, write the entry, and compare the indices. Then delete the document if it still
     *       has the version that the search found, unless that version is too new for the request. If the process dies
     *       here, the next owner begins again with the recorded versions.
     *   <li>Record in the entry that the removals are complete. No document has moved yet. From now on no process
     *       deletes a document for this rename, so a client may create a replaced document again under its id.
     * </ol>
     *
     * @return the reason why the rename must not continue; empty if the rename may continue
     */
    Optional<Stop> remove() {
        if (decided.decision().removals().isEmpty() || decided.unreplaced().isPresent()) {
            return Optional.empty();
        }
        Optional<Stop> stop = removeAll();
        return stop.isPresent() ? stop : decided.removalsAreComplete(unreplaced);
    }

    private Optional<Stop> removeAll() {
        List<Document.Ref> left = decided.decision().removals();
        int fruitless = 0;
        String what = "the removal of the documents at " + rename.destination() + " for request " + rename.requestId();
        Backoff backoff = context.backoffs().begin(what);
        while (!left.isEmpty()) {
            context.beforeWriting(what);
            try {
                List<Written> answers =
                        tree.remove(left.stream().map(rename::removal).toList());
                List<String> refused = answers.stream()
                        .filter(Written.Refused.class::isInstance)
                        .map(Written::toString)
                        .toList();
                if (!refused.isEmpty()) {
                    return Optional.of(new Stop.Park(refused.size() + " documents cannot be removed", refused));
                }
                List<Document.Ref> before = left;
                left = withoutNewer(stillThere(left, answers));
                Optional<Stop> stop = left.isEmpty() ? Optional.empty() : decided.confirm();
                if (stop.isPresent()) {
                    return stop;
                }
                fruitless = left.size() == before.size() ? fruitless + 1 : 0;
                if (fruitless == Mover.MOST_FRUITLESS) {
                    return Optional.of(new Stop.Park(
                            Mover.MOST_FRUITLESS + " consecutive removals were refused",
                            left.stream().map(Document.Ref::id).toList()));
                }
                if (fruitless > 1) {
                    backoff.pause();
                }
            } catch (NoAnswerException e) {
                ProcessContext.pauseAfter(e, backoff);
            } catch (RefusedException e) {
                return Optional.of(new Stop.Park(
                        "the documents at the destination cannot be removed: " + e.getMessage(), List.of()));
            }
        }
        return Optional.empty();
    }

    /** Returns the documents that the request may delete, and counts the documents that are too new for the request. */
    private List<Document.Ref> withoutNewer(List<Document.Ref> refs) {
        List<Document.Ref> removable = refs.stream()
                .filter(ref -> !rename.removal(ref).condition().isOlderThan(ref))
                .toList();
        unreplaced += refs.size() - removable.size();
        return removable;
    }

    /** Returns the documents that still exist and whose deletion has an unknown result. */
    private List<Document.Ref> stillThere(List<Document.Ref> refs, List<Written> answers) {
        List<Document.Ref> unknown = new ArrayList<>();
        for (int i = 0; i < refs.size(); i++) {
            if (answers.get(i) instanceof Written.Unknown) {
                unknown.add(refs.get(i));
            }
        }
        List<Document.Ref> left = found(unknown);
        left.forEach(there -> unknown.removeIf(ref -> ref.isOfSame(there)));
        left.addAll(found(unknown));
        return left;
    }

    /**
     * Searches for documents with a strict scan, because a read of one document may show a deletion that was never
     * acknowledged. If the answering node was cut off after the refresh, even the scan may show such a deletion. The
     * next scan does not show this deletion.
     */
    private List<Document.Ref> found(List<Document.Ref> refs) {
        List<Document.Ref> found = new ArrayList<>();
        if (refs.isEmpty()) {
            return found;
        }
        try (Scan scan = tree.scan(rename.namespace(), rename.destination(), Reach.AT)) {
            for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
                page.stream()
                        .map(Document::ref)
                        .filter(ref -> refs.stream().anyMatch(wanted -> wanted.isOfSame(ref)))
                        .forEach(found::add);
            }
        }
        return found;
    }
}
