package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.stack.ChildProcess;
import org.treerename.testservers.TestServers;

/**
 * Replaces a janitor and a worker of an {@linkplain EarlierVersion earlier version} by those of the present version, and
 * then back. {@link Load} runs during each step, and in each direction while both versions work. {@link ChangeCheck}
 * verifies the result.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class UpgradeIT {

    private static final String LEASE = "--lease=10s";

    private enum Version {
        EARLIER,
        PRESENT
    }

    private final Map<Version, List<String>> classPaths =
            Map.of(Version.EARLIER, EarlierVersion.classPath(), Version.PRESENT, ClassPath.jars());
    private final Group group = Group.atTheEndOfTheLog();
    private final List<Services> janitors = new ArrayList<>();
    private final List<Services> workers = new ArrayList<>();
    private final Map<String, Version> versions = new HashMap<>();
    private long loads;

    private Services start(String service, String mainClass, Version version, String option) {
        Services started = Services.start(service, mainClass, classPaths.get(version), List.of(LEASE, option));
        started.ids().forEach(id -> versions.put(id, version));
        return started;
    }

    private void start(Version version) {
        janitors.add(start("janitor", Program.JANITOR, version, "--sweep-every=1s"));
        workers.add(start("worker", Program.WORKER, version, group.option()));
    }

    private void stopOldest() {
        janitors.removeFirst().close();
        workers.removeFirst().close();
    }

    /** Stops the oldest janitor and kills the oldest worker, so that a janitor of the other version takes over. */
    private void killOldest() {
        janitors.removeFirst().close();
        workers.removeFirst().processes().forEach(ChildProcess::kill);
    }

    /**
     * Runs a step during a load of the live workers, and waits until every request has its outcome.
     *
     * @return the number of renames of this load that the workers of each version have committed
     */
    private Map<Version, Integer> underLoad(Tree tree, Runnable step) {
        group.awaitShared(workers.size());
        Map<Version, Integer> before = committed(tree);
        Load load = Load.begin(tree, TestServers.kafkaBootstrapServers(), ++loads);
        load.awaitEnded(0.2);
        step.run();
        load.awaitAll();
        Map<Version, Integer> after = committed(tree);
        after.replaceAll((version, count) -> count - before.getOrDefault(version, 0));
        return after;
    }

    private Map<Version, Integer> committed(Tree tree) {
        Map<Version, Integer> counts = new EnumMap<>(Version.class);
        for (JsonNode entry : Es.control("rename")) {
            Version version =
                    versions.get(entry.path("decision").path("committed_by").asText());
            if (version != null && entry.path("namespace").asText().equals(tree.name())) {
                counts.merge(version, 1, Integer::sum);
            }
        }
        return counts;
    }

    @Test
    void two_versions_rename_side_by_side_upward_and_back_under_load() {
        upwardAndBack(this::stopOldest, 0);
    }

    /** This test belongs to {@code -Pfull}, because Kafka notices the death of a worker only after 45 seconds. */
    @Test
    @Tag("full")
    void a_janitor_of_the_other_version_finishes_the_renames_of_a_killed_worker() {
        upwardAndBack(this::killOldest, 1);
    }

    /**
     * @param end ends the oldest processes while workers of both versions process requests
     * @param killed the number of processes that this step kills
     */
    private void upwardAndBack(Runnable end, int killed) {
        Tree tree = Load.fill(Tree.create());
        try {
            start(Version.EARLIER);
            ChangeCheck changeCheck = ChangeCheck.of(tree);

            Map<Version, Integer> earlier = underLoad(tree, () -> start(Version.PRESENT));
            Map<Version, Integer> upward = underLoad(tree, end);
            Map<Version, Integer> present = underLoad(tree, () -> start(Version.EARLIER));
            Map<Version, Integer> back = underLoad(tree, end);

            assertThat(earlier.get(Version.EARLIER)).isPositive();
            assertThat(upward.values())
                    .as("renames of both versions")
                    .hasSize(2)
                    .allMatch(count -> count > 0);
            assertThat(present.get(Version.PRESENT)).isPositive();
            assertThat(back.values()).as("renames of both versions").hasSize(2).allMatch(count -> count > 0);
            changeCheck.assertGood(2 * killed);
        } finally {
            workers.forEach(Services::close);
            janitors.forEach(Services::close);
        }
        tree.assertNothingLeft();
    }
}
