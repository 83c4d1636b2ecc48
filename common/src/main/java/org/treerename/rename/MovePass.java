package org.treerename.rename;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.process.ProcessContext;
import org.treerename.rename.DecidedRename.Stop;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.Condition;
import org.treerename.tree.Document;
import org.treerename.tree.MoveStream;
import org.treerename.tree.MoveStream.MoveResult;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.TreeStore.Scan;
import org.treerename.tree.TreeStore.Written;

/**
 * Moves the documents of one scan, or documents that were read before the commit. Only one thread calls this class,
 * once.
 *
 * <p>The scan of a pass is opened before an acknowledged conditional write of the entry. The pass moves the documents
 * of the scan after this write. For documents that were read before the commit, and for a scan that was opened before
 * the commit, this write is the commit. During the moves, the pass writes the entry about once per second, only to
 * detect a take-over early.
 */
final class MovePass {

    /** The number of attempts to move one document that another program changes all the time. */
    private static final int TRIES = 20;

    private final TreeStore tree;
    private final ProcessContext context;
    private final DecidedRename decided;
    private final Rename rename;
    private final List<String> refused = new ArrayList<>();
    private final List<String> immovable = new ArrayList<>();

    /** The first documents that changed between the read and the write. */
    private final List<Document.Ref> busy = new ArrayList<>();

    /**
     * The document that was moved before the first page of the scan. A page may contain this document again, in any
     * version.
     */
    private Document.@Nullable Ref skipped;

    private long found;
    private long newer;
    private long joined;
    private boolean isRefused;

    /** Whether the entry was written after the scan was opened. */
    private boolean isWritten;

    private boolean isCompared;
    private @Nullable NoAnswerException noAnswer;
    private @Nullable Stop stop;

    MovePass(TreeStore tree, ProcessContext context, DecidedRename decided) {
        this.tree = tree;
        this.context = context;
        this.decided = decided;
        this.rename = decided.rename();
    }

    /** Returns the number of documents that this pass found and had to move. */
    long found() {
        return found;
    }

    /** Returns the number of documents that are not moved, because they are newer than the request. */
    long newer() {
        return newer;
    }

    /** Returns the number of documents that are not moved, because their index joined the tree after the commit. */
    long joined() {
        return joined;
    }

    /** Returns whether at least one move was not acknowledged. */
    boolean isRefused() {
        return isRefused;
    }

    /** Returns the first documents whose moves were not acknowledged, with the reasons. */
    List<String> refused() {
        return refused;
    }

    /** Returns the exception that ended the pass early; null if each request got an answer. */
    @Nullable
    NoAnswerException silence() {
        return noAnswer;
    }

    /** Returns the reason why the rename must not continue; empty if the rename may continue. */
    Optional<Stop> stop() {
        return stop != null || immovable.isEmpty()
                ? Optional.ofNullable(stop)
                : Optional.of(new Stop.Park(immovable.size() + " documents cannot be moved", immovable));
    }

    /**
     * Moves the document at the source itself in a separate request. This document was read before the commit. The pass
     * skips this document in its scan.
     */
    void moveFirst(Document own) {
        List<Move> moves = movable(List.of(own));
        if (!moves.isEmpty()) {
            context.beforeWriting(what());
            count(MoveResult.of(moves, () -> tree.move(rename.namespace(), moves)));
        }
        skipped = own.ref();
    }

    /** Moves the documents of a scan that was opened before the commit. */
    void moveSinceCommit(Scan scan) {
        move(scan, true);
    }

    /** Moves the documents of a scan that was opened after the commit. Writes the entry before the first move. */
    void move(Scan scan) {
        move(scan, false);
    }

    private void move(Scan scan, boolean isCommitTheWrite) {
        isWritten = isCommitTheWrite;
        try (MoveStream stream = tree.moves(rename.namespace())) {
            RuntimeException unread = feed(scan, stream);
            try {
                stream.finish().forEach(this::count);
            } catch (RuntimeException e) {
                if (unread != null) {
                    e.addSuppressed(unread);
                }
                throw e;
            }
            if (unread != null) {
                throw unread;
            }
        }
    }

    /**
     * Sends the moves of all pages. Returns the exception of a failed read instead of throwing it, because the caller
     * must first await the requests in progress. Returns null if no read failed.
     */
    private @Nullable RuntimeException feed(Scan scan, MoveStream stream) {
        try {
            for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
                confirm();
                if (!mayContinue()) {
                    break;
                }
                send(movable(page), stream);
                if (!mayContinue() || stream.hasFailed()) {
                    break;
                }
            }
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    /**
     * Blocks while the lease is in doubt, and compares the indices again if the last comparison is too old. A
     * comparison may take long, so the lease is checked again after the comparison. The wait for the lease may take
     * long, so the age of the comparison is checked again after the wait.
     */
    private void confirm() {
        context.beforeWriting(what());
        while (mayContinue() && (!isCompared || decided.isConfirmationDue())) {
            stop = (isWritten && !isCompared ? decided.compare() : decided.confirm()).orElse(null);
            isCompared = true;
            isWritten = true;
            context.beforeWriting(what());
        }
    }

    private void send(List<Move> moves, MoveStream stream) {
        if (!moves.isEmpty()) {
            stream.send(moves).forEach(this::count);
        }
    }

    /**
     * Moves the documents whose moves were refused because another program changes them all the time. Between the read
     * of a pass and its write, such a document always changes. So this method reads one document at a time, in real
     * time, and writes it at once. Between the read and the write, it writes the entry, as a pass does.
     */
    void retryBusy() {
        for (Document.Ref ref : List.copyOf(busy)) {
            boolean isLeft = true;
            for (int tries = 0; isLeft && tries < TRIES && mayContinue(); tries++) {
                isLeft = !retried(ref);
            }
        }
    }

    /** Returns whether the document has moved, or need not move any more. */
    private boolean retried(Document.Ref ref) {
        context.beforeWriting(what());
        Optional<Document> now =
                tree.read(rename.namespace(), ref).filter(document -> rename.isAtOrBelowSource(document.path()));
        if (now.isEmpty()) {
            return true;
        }
        stop = (decided.isConfirmationDue() ? decided.confirm() : decided.write()).orElse(null);
        List<Move> moves = stop == null ? movable(List.of(now.get())) : List.of();
        long before = decided.moved();
        if (!moves.isEmpty()) {
            context.beforeWriting(what());
            count(MoveResult.of(moves, () -> tree.move(rename.namespace(), moves)));
        }
        return moves.isEmpty() || decided.moved() > before;
    }

    /** Ends the pass early, because a request got no answer. */
    void breakOff(NoAnswerException cause) {
        noAnswer = cause;
    }

    void stopBecause(Stop why) {
        stop = why;
    }

    private boolean mayContinue() {
        return noAnswer == null && stop().isEmpty();
    }

    private String what() {
        return "the move of " + rename.source() + " for request " + rename.requestId();
    }

    private List<Move> movable(List<Document> documents) {
        List<Move> moves = new ArrayList<>(documents.size());
        for (Document document : documents) {
            if (skipped == null || !skipped.isOfSame(document.ref())) {
                addIfMovable(document, moves);
            }
        }
        return moves;
    }

    private void addIfMovable(Document document, List<Move> moves) {
        Document.Ref ref = document.ref();
        if (!decided.decision().indices().containsKey(ref.index())) {
            // no process has examined this index for this rename
            joined++;
            return;
        }
        Optional<Condition> condition = rename.condition(document);
        if (condition.filter(known -> known.isOlderThan(ref)).isPresent()) {
            newer++;
            return;
        }
        Optional<String> obstacle = rename.obstacle(document);
        if (obstacle.isPresent()) {
            immovable.add(ref.id() + ": " + obstacle.get());
        } else {
            moves.add(rename.move(document));
        }
        found++;
    }

    private void count(MoveResult result) {
        if (result.silence() != null) {
            noAnswer = result.silence();
            isRefused = true;
        }
        for (int i = 0; i < result.written().size(); i++) {
            Document.Ref ref = result.moves().get(i).document().ref();
            String id = ref.id();
            switch (result.written().get(i)) {
                case Written.Done done -> decided.hasMoved();
                case Written.Unknown unknown -> {
                    isRefused = true;
                    if (refused.size() < DecidedRename.SHOWN) {
                        refused.add(id + ": " + unknown.why());
                        if (unknown.isConflict()) {
                            busy.add(ref);
                        }
                    }
                }
                case Written.Refused no -> immovable.add(id + ": " + no.why());
            }
        }
    }
}
