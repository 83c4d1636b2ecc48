package org.treerename.checker;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.treerename.path.TreePath;

/**
 * Checks point 10 of {@link Checker}: each view shows all effects of the renames up to one of the commits, and no
 * effect of a later commit. The sequence numbers define the order of the commits. The last commit that a view shows
 * must be in this range of commits:
 * <ul>
 *   <li>The earliest allowed commit is the last commit of a rename that had ended when the reader requested the view.
 *   <li>The latest allowed commit is the last commit before the view was open.
 * </ul>
 */
final class Views {

    private static final int POINT = 10;

    private final Run run;
    private final Findings findings;
    private final List<JournalDump.Entry> commits;

    /** A view, and the minimum and maximum number of commits whose effects the shown tree may contain. */
    private record Allowed(SeenView view, int least, int most) {}

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
        if (run.views().isEmpty()) {
            return;
        }
        List<Allowed> unexplained =
                new ArrayList<>(run.views().stream().map(this::allowed).toList());
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
        unexplained.forEach(this::report);
    }

    private Allowed allowed(SeenView view) {
        return new Allowed(
                view,
                commitsUpTo(entry -> isBefore(entry.finishedAt(), view.asked())),
                commitsUpTo(entry -> isBefore(entry.committedAt(), view.opened().plusNanos(1))));
    }

    private static boolean isBefore(@Nullable Instant time, Instant other) {
        return time != null && time.isBefore(other);
    }

    private int commitsUpTo(Predicate<JournalDump.Entry> condition) {
        int count = commits.size();
        while (count > 0 && !condition.test(commits.get(count - 1))) {
            count--;
        }
        return count;
    }

    private void explain(List<Allowed> unexplained, int count, TreeModel model) {
        unexplained.removeIf(
                allowed -> allowed.least() <= count && count <= allowed.most() && isShown(allowed.view(), model));
    }

    private boolean isShown(SeenView view, TreeModel model) {
        TreePath path = run.namespace().notation().path(view.path());
        Map<String, String> expected = new HashMap<>();
        model.forEachAtOrBelow(path, (at, document) -> expected.put(document.id(), at));
        return expected.equals(view.shown());
    }

    private void report(Allowed allowed) {
        SeenView view = allowed.view();
        findings.add(
                POINT,
                "a view of " + view.path() + " was requested at " + view.asked() + " and open at " + view.opened()
                        + ", but it does not show the tree after any number of commits from " + allowed.least()
                        + " to " + allowed.most() + "; documents in the view: "
                        + view.shown().size() + ", "
                        + view.shown());
    }
}
