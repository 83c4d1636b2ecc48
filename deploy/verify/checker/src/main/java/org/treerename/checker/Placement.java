package org.treerename.checker;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks point 3 of {@link Checker}: at the end of the run every rename has moved all of its documents or none. A
 * parked rename may have moved a part of its documents. Also checks a part of point 6: the tree at the end of the run
 * is the result of {@link Replay}.
 */
final class Placement {

    private static final int ALL_OR_NOTHING = 3;
    private static final int SERIAL = 6;

    private final Run run;
    private final Others others;
    private final Replay replay;
    private final Findings findings;

    /** By request id, two numbers of documents: at the expected path, and still at the path before the rename. */
    private final Map<String, long[]> done = new HashMap<>();

    Placement(Run run, Others others, Replay replay, Findings findings) {
        this.run = run;
        this.others = others;
        this.replay = replay;
        this.findings = findings;
    }

    void check() {
        for (TreeDump.StoredDocument stored : run.after().stored()) {
            String path = stored.path();
            if (path == null) {
                continue;
            }
            String id = stored.document().id();
            if (others.isLoose(id)) {
                ofOthers(id, path);
            } else {
                check(id, path);
            }
        }
        for (JournalDump.Entry entry : run.control().journal().entries()) {
            long[] count = done.get(entry.requestId());
            if (count != null && count[1] > 0) {
                boolean half = count[0] > 0;
                findings.add(
                        half ? ALL_OR_NOTHING : SERIAL,
                        Replay.words(entry) + " is " + entry.state() + ": moved documents: expected "
                                + (count[0] + count[1]) + ", found " + count[0]);
            }
        }
    }

    private void ofOthers(String id, String path) {
        if (!others.mayBeAt(id, path)) {
            findings.add(
                    SERIAL,
                    "the document " + id + " is at " + path
                            + ", but no order of the renames moves the document to this path; an external"
                            + " writer created or deleted the document");
        }
    }

    private void check(String id, String found) {
        String expected = replay.place(id);
        List<Replay.Move> moves = replay.moves(id);
        if (found.equals(expected)) {
            moves.forEach(move -> count(move, 0));
            return;
        }
        // use the last move from the found path, because an earlier rename may also have moved the document from this
        // path
        Optional<Replay.Move> undone = moves.reversed().stream()
                .filter(move -> move.from().equals(found))
                .findFirst();
        if (undone.isPresent()) {
            if (undone.get().by().isCompleted()) {
                count(undone.get(), 1);
            }
        } else if (expected == null) {
            replay.replacedBy(id)
                    .filter(JournalDump.Entry::isCompleted)
                    .ifPresent(by -> findings.add(
                            SERIAL,
                            Replay.words(by) + " has replaced the document " + id
                                    + ": expected it nowhere, found it at " + found));
        } else {
            elsewhere(id, expected, found);
        }
    }

    private void count(Replay.Move move, int which) {
        done.computeIfAbsent(move.by().requestId(), none -> new long[2])[which]++;
    }

    private void elsewhere(String id, String expected, String found) {
        String words = "expected the document " + id + " at " + expected + ", found it at " + found;
        Optional<JournalDump.Entry> culprit = run.control().journal().entries().stream()
                .filter(entry -> !entry.isDecidedToMove())
                .filter(entry -> run.way(entry)
                        .filter(way ->
                                way.covers(expected) && way.image(expected).equals(found))
                        .isPresent())
                .findFirst();
        culprit.ifPresentOrElse(
                entry -> findings.add(
                        ALL_OR_NOTHING,
                        words + ": " + Replay.words(entry) + " is " + entry.state()
                                + (entry.status() == null ? "" : " (" + entry.status() + ")")
                                + " and must not have moved any document"),
                () -> findings.add(SERIAL, words));
    }
}
