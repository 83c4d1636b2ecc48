package org.treerename.simulation;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.treerename.checker.Checker;
import org.treerename.simulation.elasticsearch.Cluster;

/**
 * Checks a world at rest: the trees, the outcomes and the answers to cancellations. This class runs the checker and the
 * auditor. It stops after the first kind of check that finds a violation.
 */
final class FinalCheck {

    private final World world;
    private final Violations violations;
    private final List<ObservedTree> trees;
    private final Participants participants;
    private final IndexMadeAgain recreated;

    FinalCheck(World world, List<ObservedTree> trees, Participants participants, IndexMadeAgain recreated) {
        this.world = world;
        this.violations = world.stage().violations();
        this.trees = trees;
        this.participants = participants;
        this.recreated = recreated;
    }

    void run() {
        trees.forEach(this::check);
        if (!violations.any()) {
            Map<String, String> direct = trees.getFirst().recorder().directOutcomes();
            participants
                    .cancellers()
                    .check(requestId -> world.outcomes().of(requestId).stream()
                            .findFirst()
                            .or(() -> Optional.ofNullable(direct.get(requestId))));
        }
        if (!violations.any()) {
            participants.bury();
            world.network().close();
            world.cluster().watchNoMore();
            new Audits(world, trees.stream().map(ObservedTree::tree).toList(), recreated.stranded()).check();
        }
    }

    private void check(ObservedTree tree) {
        long restNanos = world.scheduler().nowNanos() - Phases.FAULTS_UNTIL;
        Checker.check(tree.recorder()
                        .run(
                                participants.mayHaveLeftPits(),
                                Recorder.bound(restNanos, Phases.REST_BY - Phases.FAULTS_UNTIL)))
                .forEach(violations::add);
        Set<String> stranded = recreated.strandedRequests();
        Map<String, String> direct = tree.recorder().directOutcomes();
        Set<String> requestIds = new LinkedHashSet<>(tree.scene().requests().keySet());
        requestIds.addAll(direct.keySet());
        requestIds.forEach(requestId -> {
            Set<String> texts = new TreeSet<>(world.outcomes().of(requestId));
            Optional.ofNullable(direct.get(requestId)).ifPresent(texts::add);
            checkOutcome(requestId, texts, stranded.contains(requestId), tree.witness());
        });
        List<Cluster.StoredDocument> documents = tree.tree().documents(world.cluster());
        checkPaths(documents, tree.witness());
        checkUniquePaths(documents, tree.witness());
    }

    private void checkOutcome(String requestId, Set<String> texts, boolean isStranded, Witness witness) {
        boolean isCommitted = witness.isCommitted(requestId);
        if (isStranded) {
            if (!texts.isEmpty()) {
                violations.add(Point.ONCE, requestId + " is parked, but has the outcome " + texts);
            }
        } else if (texts.size() != 1) {
            violations.add(
                    Point.ONCE, "expected one outcome of " + requestId + ", found " + texts.size() + ": " + texts);
        } else if (texts.stream().allMatch(FinalCheck::isOfCommitted) != isCommitted) {
            violations.add(
                    Point.ALL_OR_NOTHING,
                    requestId + (isCommitted ? " is" : " is not") + " committed, but has the outcome " + texts);
        }
    }

    private static boolean isOfCommitted(String outcome) {
        return outcome.contains("\"status\":\"completed\"") || outcome.contains("\"status\":\"abandoned\"");
    }

    private void checkPaths(List<Cluster.StoredDocument> documents, Witness witness) {
        SortedMap<String, String> found = new TreeMap<>();
        documents.forEach(stored -> {
            if (!stored.id().startsWith(Witness.OUTSIDE)) {
                found.put(stored.id(), path(stored));
            }
        });
        Map<String, String> expected = witness.model().paths();
        recreated.finish(witness, found, expected);
        if (!found.equals(expected)) {
            violations.add(Point.SERIAL_ORDER, "expected the tree " + expected + ", found " + found);
        }
    }

    private void checkUniquePaths(List<Cluster.StoredDocument> documents, Witness witness) {
        Map<String, Long> several = documents.stream()
                .filter(document -> !witness.mayShareAPath(document.id()))
                .collect(Collectors.groupingBy(FinalCheck::path, TreeMap::new, Collectors.counting()));
        several.values().removeIf(count -> count == 1);
        if (!several.isEmpty()) {
            violations.add(Point.PATHS, "expected one document at each path, found several at " + several);
        }
    }

    private static String path(Cluster.StoredDocument stored) {
        return String.valueOf(stored.document().text("path"));
    }
}
