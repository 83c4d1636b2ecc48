package org.treerename.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.janitor.audit.Audit.Kind;
import org.treerename.janitor.audit.Auditor;
import org.treerename.janitor.audit.TreeAudit;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.LockBooks;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessState;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.SimulatedLockStore;
import org.treerename.simulation.elasticsearch.SimulatedNamespaces;
import org.treerename.simulation.elasticsearch.SimulatedProcessStore;
import org.treerename.simulation.elasticsearch.SimulatedTreeSurvey;
import org.treerename.simulation.elasticsearch.Wire;
import org.treerename.simulation.schedule.Actor;

/**
 * Runs the auditor on a world at rest, then damages the world and runs the auditor again. This class compares the
 * findings of each run with the expected findings. No process of a service may run during these checks.
 */
final class Audits {

    /** The key under which documents without a path are counted. */
    private static final String NONE = "";

    private static final Duration PROCESS_RETENTION = Duration.ofDays(1);

    private final World world;
    private final List<Tree> trees;
    private final List<JournalEntry> parked;

    /** @param parked the journal entries of the stranded renames ({@link IndexMadeAgain}) */
    Audits(World world, List<Tree> trees, List<JournalEntry> parked) {
        this.parked = parked;
        this.trees = trees;
        this.world = world;
    }

    void check() {
        compare("at rest", wrong());
        Damage damage = world.stage().chance().of(List.of(Damage.values()));
        Optional<String> live = world.cluster().control(ProcessDocument.class).stream()
                .filter(process -> process.state() == ProcessState.LIVE)
                .map(process -> process.id().text())
                .findFirst();
        if (live.isEmpty()) {
            return;
        }
        Victim victim = new Victim(world, live.get());
        damage.doTo(victim);
        world.stage().happened(Happening.DAMAGE, "victim", () -> "suffers " + damage);
        Map<Kind, Integer> expected = wrong();
        damage.findings(victim).forEach((kind, count) -> {
            if (!kind.isOfTrees()) {
                expected.merge(kind, count, Integer::sum);
            } else if (!expected.containsKey(kind)) {
                throw new IllegalStateException(
                        "expected that " + damage + " causes a finding of the kind " + kind + ", found none");
            }
        });
        compare("after " + damage, expected);
    }

    private void compare(String when, Map<Kind, Integer> expected) {
        audit().ifPresent(findings -> compare(when, expected, findings));
    }

    private void compare(String when, Map<Kind, Integer> expected, List<Finding> findings) {
        Map<Kind, Integer> found = new TreeMap<>();
        findings.stream()
                .filter(finding -> finding.kind() != Kind.PROCESS || !hasAClockJumped())
                .forEach(finding -> found.merge(finding.kind(), 1, Integer::sum));
        if (!found.equals(expected)) {
            world.stage()
                    .violations()
                    .add(
                            Point.NOTHING_LEFT,
                            "expected these findings of the auditor " + when + ": " + expected + ", found " + findings);
        }
    }

    /** After a jump, the age of a process document may be wrong, because a process sets its times by its wall clock. */
    private boolean hasAClockJumped() {
        return world.stage().tally().of(Happening.CLOCK_JUMP) > 0;
    }

    /** Returns empty if the auditor has failed, which is a violation. */
    private Optional<List<Finding>> audit() {
        Actor actor = world.actor("auditor");
        Cluster cluster = world.cluster();
        Wire wire = Wire.direct(cluster);
        SimulatedJournal journal = new SimulatedJournal(wire, cluster);
        Auditor auditor = new Auditor(
                        LockBooks.of(
                                new SimulatedNamespaces(wire, cluster), journal, new SimulatedLockStore(wire, cluster)),
                        new SimulatedProcessStore(wire, cluster),
                        world.time(actor),
                        PROCESS_RETENTION)
                .withTrees(new TreeAudit(
                        new SimulatedTreeSurvey(cluster),
                        journal,
                        trees.stream().map(Tree::namespace).toList()));
        List<List<Finding>> audits = new ArrayList<>();
        world.scheduler().begin(actor, () -> audits.add(auditor.audit()));
        world.scheduler()
                .runWhile(() -> audits.isEmpty() && !world.stage().violations().any());
        if (!audits.isEmpty()) {
            return Optional.of(audits.getFirst());
        }
        if (!world.stage().violations().any()) {
            throw new IllegalStateException("expected the auditor to finish, but no event is left");
        }
        return Optional.empty();
    }

    /** Returns the number of findings of each kind that the auditor must report. */
    private Map<Kind, Integer> wrong() {
        Map<Kind, Integer> wrong = new TreeMap<>();
        if (!parked.isEmpty()) {
            wrong.put(Kind.PARKED, parked.size());
        }
        trees.forEach(tree -> wrongIn(tree).forEach((kind, count) -> wrong.merge(kind, count, Integer::sum)));
        return wrong;
    }

    /** The auditor ignores paths at or below the source or the destination of a parked rename. */
    private boolean isMoving(Tree tree, String path) {
        return parked.stream()
                .map(JournalEntry::request)
                .filter(Objects::nonNull)
                .filter(request -> tree.hasRequest(request.requestId()))
                .flatMap(request -> Stream.of(request.source(), request.destination()))
                .anyMatch(end -> path.equals(end) || path.startsWith(end + "/"));
    }

    private Map<Kind, Integer> wrongIn(Tree tree) {
        Set<String> directories = new HashSet<>();
        Map<String, Integer> countByPath = new TreeMap<>();
        for (Cluster.StoredDocument found : tree.documents(world.cluster())) {
            String path = Optional.ofNullable(found.document().text("path")).orElse(NONE);
            countByPath.merge(path, 1, Integer::sum);
            if ("directory".equals(found.document().text("type"))) {
                directories.add(path);
            }
        }
        Map<Kind, Integer> wrong = new TreeMap<>();
        if (countByPath.remove(NONE) != null) {
            wrong.put(Kind.NO_PATH, 1);
        }
        wrongInTheirFields(tree).ifPresent(documents -> wrong.put(Kind.FIELDS_DISAGREE, documents));
        countByPath.forEach((path, documents) -> {
            if (isMoving(tree, path)) {
                return;
            }
            if (documents > 1) {
                wrong.merge(Kind.DOUBLED_PATH, 1, Integer::sum);
            }
            if (TreePath.problem(path).isPresent()) {
                wrong.merge(Kind.INVALID_PATH, 1, Integer::sum);
            } else if (path.lastIndexOf('/') > 0 && !directories.contains(path.substring(0, path.lastIndexOf('/')))) {
                wrong.merge(Kind.ORPHAN, 1, Integer::sum);
            }
        });
        return wrong;
    }

    /** Returns empty if the parent and the name of each document match its path. */
    private Optional<Integer> wrongInTheirFields(Tree tree) {
        int wrong = 0;
        for (Cluster.StoredDocument found : tree.documents(world.cluster())) {
            String path = Optional.ofNullable(found.document().text("path")).orElse(NONE);
            int end = path.lastIndexOf('/');
            boolean isMovable = path.length() > 1 && TreePath.problem(path).isEmpty() && !isMoving(tree, path);
            if (isMovable
                    && (differs(found, "parent", end == 0 ? "/" : path.substring(0, end))
                            || differs(found, "name", path.substring(end + 1)))) {
                wrong++;
            }
        }
        return wrong == 0 ? Optional.empty() : Optional.of(wrong);
    }

    private static boolean differs(Cluster.StoredDocument found, String field, String expected) {
        String text = found.document().text(field);
        return text != null && !text.equals(expected);
    }
}
