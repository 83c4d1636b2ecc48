package org.treerename.local;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.treerename.checker.Checker;
import org.treerename.checker.Comparison;
import org.treerename.checker.CompletedRename;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.checker.JournalDump;
import org.treerename.checker.Leftovers;
import org.treerename.checker.RealRun;
import org.treerename.checker.SerialOrder;
import org.treerename.checker.TreeDump;
import org.treerename.checker.TreeModel;
import org.treerename.checker.Violation;
import org.treerename.namespace.Namespace;
import org.treerename.runtime.Time;

/**
 * Applies the renames of the demo to a model, and compares the tree in Elasticsearch with the model. Checks the
 * guarantees of the renames as well.
 */
final class DemoCheck {

    /**
     * The time limit for closing the last journal entries. An entry is closed shortly after the outcome of its rename
     * is published.
     */
    private static final Duration CLOSING = Duration.ofSeconds(15);

    private static final Duration POLL = Duration.ofMillis(250);

    /** The ids of the renames that the model has applied. */
    private final Set<String> applied = new HashSet<>();

    private final ElasticsearchHttp http;
    private final RealRun run;
    private final Narrator narrator;
    private final Time time;

    /** @param run the reader of the run's state, which was created before the first rename */
    DemoCheck(ElasticsearchHttp http, RealRun run, Narrator narrator, Time time) {
        this.http = http;
        this.run = run;
        this.narrator = narrator;
        this.time = time;
    }

    /**
     * Returns whether the tree equals the model, and the run violates no guarantee. The caller may call this method
     * again after further renames.
     *
     * @param before the model of the tree at the previous check; at the first check, the model of the initial tree. The
     *     method applies the new renames to this model
     * @param asked the number of renames that the demo has requested so far
     * @param completed the number of outcomes with the status completed so far
     * @param killed the number of processes that were killed so far
     */
    boolean isRight(TreeModel before, int asked, int completed, int killed) {
        Namespace namespace = Namespace.ofFiles(DemoStage.NAMESPACE, DemoStage.NAMESPACE);
        boolean closed = new Patience(time, POLL)
                .until(CLOSING, () -> Leftovers.read(http).isNone());
        JournalDump journal = JournalDump.read(http);
        List<CompletedRename> renames = journal.completed(DemoStage.NAMESPACE);
        boolean journalFits = journal.entries().size() == asked && renames.size() == completed;
        narrator.report(
                "Renames in the journal: %d, completed: %d. Renames that the demo requested: %d, completed: %d."
                        + " The numbers of the journal and of the demo are %s.",
                journal.entries().size(), renames.size(), asked, completed, journalFits ? "equal" : "NOT EQUAL");
        narrator.report("Remaining in the control index: %s.", Leftovers.read(http));
        TreeDump dump = TreeDump.read(http, namespace);
        boolean serial = apply(
                before,
                renames.stream()
                        .filter(rename -> applied.add(rename.requestId()))
                        .toList(),
                dump);
        boolean equal = equalsModel(before, dump);
        return hasNoViolations(killed) && serial && equal && closed && journalFits;
    }

    /**
     * Returns whether {@link Checker} finds no violation. After the end of a rename, a process needs a short time to
     * close the rename's points in time. So a check that finds a violation is repeated until a timeout.
     */
    private boolean hasNoViolations(int killed) {
        new Patience(time, POLL)
                .until(CLOSING, () -> Checker.check(run.read(killed, true)).isEmpty());
        List<Violation> violations = Checker.check(run.read(killed, true));
        narrator.report(
                "The checker examined its ten points in the tree, the journal, the locks and the topics: %s.",
                violations.isEmpty() ? "no violation" : "VIOLATED");
        violations.forEach(violation -> narrator.report("%s", violation));
        return violations.isEmpty();
    }

    private boolean apply(TreeModel model, List<CompletedRename> renames, TreeDump dump) {
        TreeModel found;
        try {
            found = TreeModel.of(dump);
        } catch (IllegalArgumentException e) {
            narrator.report("The documents in Elasticsearch are not a tree: %s.", String.valueOf(e.getMessage()));
            found = new TreeModel(true);
        }
        return switch (SerialOrder.find(model, renames, found)) {
            case SerialOrder.Answer.Found order -> {
                order.order().forEach(rename -> model.apply(rename.source(), rename.destination(), rename.replace()));
                narrator.report(
                        "A model in memory applied the same %d renames one after the other, in the order %s.",
                        renames.size(),
                        order.asCommitted()
                                ? "of their commits"
                                : "that a search found (not the order of their commits)");
                yield true;
            }
            case SerialOrder.Answer.None none -> {
                narrator.report("No serial order of the completed renames produces this tree: %s.", none.why());
                yield applyInCommitOrder(model, renames);
            }
            case SerialOrder.Answer.Undecided undecided -> {
                narrator.report("No serial order of the completed renames was found: %s.", undecided.why());
                yield applyInCommitOrder(model, renames);
            }
        };
    }

    /**
     * Applies the renames to the model in the order of their commits, so that the comparison can print the differences.
     * Always returns false, because no serial order of the renames was found.
     */
    private static boolean applyInCommitOrder(TreeModel model, List<CompletedRename> renames) {
        renames.forEach(rename -> model.apply(rename.source(), rename.destination(), rename.replace()));
        return false;
    }

    private boolean equalsModel(TreeModel model, TreeDump dump) {
        Comparison comparison = Comparison.of(model, dump);
        narrator.report("""
                Comparing the documents with the model: the index must contain exactly the %,d documents of the model. The path of
                each document must be the path in the model, and the parent and the name must fit this path. A digest of
                all other fields and of the routing must be the same as before the renames.""", model.documents());
        narrator.report("%s: %s.", comparison.isEqual() ? "EQUAL" : "NOT EQUAL", comparison);
        return comparison.isEqual();
    }
}
