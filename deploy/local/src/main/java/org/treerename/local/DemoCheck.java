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
import org.treerename.path.Namespace;
import org.treerename.runtime.Time;

/** Whether what stands in Elasticsearch is what a model of the same renames gives, and what they did was right. */
final class DemoCheck {

    /** An outcome is published a moment before its entry is closed. */
    private static final Duration CLOSING = Duration.ofSeconds(15);

    private static final Duration POLL = Duration.ofMillis(250);

    /** The renames that the model has done already. */
    private final Set<String> applied = new HashSet<>();

    private final ElasticsearchHttp http;
    private final RealRun run;
    private final Narrator narrator;
    private final Time time;

    /**
     * @param run begun before the first rename
     */
    DemoCheck(ElasticsearchHttp http, RealRun run, Narrator narrator, Time time) {
        this.http = http;
        this.run = run;
        this.narrator = narrator;
        this.time = time;
    }

    /**
     * Checks. It may be done again after further renames.
     *
     * @param before the tree before the renames, or after those of the check before; afterwards the tree after them
     * @param asked how many renames were asked for
     * @param completed how many of them completed, by their outcomes
     * @param killed how many processes were killed so far
     */
    boolean isRight(TreeModel before, int asked, int completed, int killed) {
        Namespace namespace = Namespace.ofFiles(DemoStage.NAMESPACE, DemoStage.NAMESPACE);
        boolean closed = new Patience(time, POLL)
                .until(CLOSING, () -> Leftovers.read(http).isNone());
        JournalDump journal = JournalDump.read(http);
        List<CompletedRename> renames = journal.completed(DemoStage.NAMESPACE);
        boolean journalFits = journal.entries().size() == asked && renames.size() == completed;
        narrator.tell(
                "The journal has %d renames, %d of them completed; asked were %d, and %d outcomes said completed: %s.",
                journal.entries().size(), renames.size(), asked, completed, journalFits ? "equal" : "NOT EQUAL");
        narrator.tell("Left in the control index: %s.", Leftovers.read(http));
        TreeDump dump = TreeDump.read(http, namespace);
        boolean serial = apply(
                before,
                renames.stream()
                        .filter(rename -> applied.add(rename.requestId()))
                        .toList(),
                dump);
        boolean equal = compared(before, dump);
        return judged(killed) && serial && equal && closed && journalFits;
    }

    /** A live process closes its point in time a moment after it has ended a rename. */
    private boolean judged(int killed) {
        new Patience(time, POLL)
                .until(CLOSING, () -> Checker.check(run.read(killed, true)).isEmpty());
        List<Violation> violations = Checker.check(run.read(killed, true));
        narrator.tell(
                "Judged by the ten points of the checker, from the tree, the journal, the locks and the topics: %s.",
                violations.isEmpty() ? "NONE IS VIOLATED" : "VIOLATED");
        violations.forEach(violation -> narrator.tell("%s", violation));
        return violations.isEmpty();
    }

    private boolean apply(TreeModel model, List<CompletedRename> renames, TreeDump dump) {
        TreeModel found;
        try {
            found = TreeModel.of(dump);
        } catch (IllegalArgumentException e) {
            narrator.tell("What stands in Elasticsearch is no tree: %s.", String.valueOf(e.getMessage()));
            found = new TreeModel(true);
        }
        return switch (SerialOrder.find(model, renames, found)) {
            case SerialOrder.Answer.Found order -> {
                order.order().forEach(rename -> model.apply(rename.source(), rename.destination(), rename.replace()));
                narrator.tell(
                        "A model in memory has done the same %d renames one after the other, in the order %s.",
                        renames.size(),
                        order.asCommitted()
                                ? "of their commits"
                                : "that a search has found (not that of their commits)");
                yield true;
            }
            case SerialOrder.Answer.None none -> {
                narrator.tell("No serial order of the completed renames gives this tree: %s.", none.why());
                yield replayed(model, renames);
            }
            case SerialOrder.Answer.Undecided undecided -> {
                narrator.tell("No serial order of the completed renames was found: %s.", undecided.why());
                yield replayed(model, renames);
            }
        };
    }

    /** So that the differences can be told. */
    private static boolean replayed(TreeModel model, List<CompletedRename> renames) {
        renames.forEach(rename -> model.apply(rename.source(), rename.destination(), rename.replace()));
        return false;
    }

    private boolean compared(TreeModel model, TreeDump dump) {
        Comparison comparison = Comparison.of(model, dump);
        narrator.tell("""
                Compared, document by document: that each of the %,d stands there once and no other does, its path with
                the model's, its parent and name with its path, and a digest of all its other fields and its routing
                with those from before the renames.""", model.documents());
        narrator.tell("%s: %s.", comparison.isEqual() ? "EQUAL" : "NOT EQUAL", comparison);
        return comparison.isEqual();
    }
}
