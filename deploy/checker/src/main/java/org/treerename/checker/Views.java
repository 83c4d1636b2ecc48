package org.treerename.checker;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.treerename.path.Path;

/**
 * Point 10: each view shows the tree as it is after one of the commits, in the order of their numbers; not after an earlier one than the last rename that had
 * ended when the view was asked for, and not after a later one than the last that was committed when it was answered.
 */
final class Views {

    private static final int POINT = 10;

    private final Run run;
    private final Findings findings;
    private final List<JournalDump.Entry> commits;

    Views(Run run, Findings findings) {
        this.run = run;
        this.findings = findings;
        this.commits = run.control().journal().entries().stream()
                .filter(entry -> entry.isDecidedToMove()
                        && entry.decidedSeqNo() != null
                        && run.way(entry).isPresent()
                        && run.namespace().name().equals(entry.namespace()))
                .sorted(Comparator.comparing(entry -> Objects.requireNonNull(entry.decidedSeqNo())))
                .toList();
    }

    void check() {
        List<SeenView> unexplained = new ArrayList<>(run.views());
        if (unexplained.isEmpty()) {
            return;
        }
        TreeModel model = TreeModel.of(run.before());
        explain(unexplained, 0, model);
        for (int i = 0; i < commits.size(); i++) {
            JournalDump.Entry commit = commits.get(i);
            model.apply(
                    Objects.requireNonNull(commit.source()),
                    Objects.requireNonNull(commit.destination()),
                    commit.replace());
            explain(unexplained, i + 1, model);
        }
        for (SeenView view : unexplained) {
            findings.add(
                    POINT,
                    "a view from " + view.asked() + " to " + view.answered() + " showed at and below " + view.path()
                            + " the " + view.shown().size() + " documents " + view.shown()
                            + ", which was so after none of the commits " + first(view) + " to " + last(view));
        }
    }

    /** Removes those that show the tree after so many commits. */
    private void explain(List<SeenView> unexplained, int count, TreeModel model) {
        unexplained.removeIf(view -> first(view) <= count && count <= last(view) && isShown(view, model));
    }

    private int first(SeenView view) {
        int first = 0;
        for (int i = 0; i < commits.size(); i++) {
            Instant finishedAt = commits.get(i).finishedAt();
            if (finishedAt != null && finishedAt.isBefore(view.asked())) {
                first = i + 1;
            }
        }
        return first;
    }

    private int last(SeenView view) {
        int last = 0;
        for (int i = 0; i < commits.size(); i++) {
            Instant committedAt = commits.get(i).committedAt();
            if (committedAt != null && !committedAt.isAfter(view.answered())) {
                last = i + 1;
            }
        }
        return last;
    }

    private boolean isShown(SeenView view, TreeModel model) {
        Path path = run.namespace().notation().path(view.path());
        Map<String, String> standing = new HashMap<>();
        model.forEachAtOrBelow(path, (at, document) -> standing.put(document.id(), at));
        return standing.equals(view.shown());
    }
}
