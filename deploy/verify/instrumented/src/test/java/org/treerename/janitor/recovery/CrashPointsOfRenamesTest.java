package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.crash.CrashPoint;
import org.treerename.crash.CrashPoints;
import org.treerename.crash.Crashing;
import org.treerename.crash.Dying;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.rename.DecidedRename;
import org.treerename.rename.Renamer;
import org.treerename.rename.Stores;
import org.treerename.store.Death;
import org.treerename.store.Interference;
import org.treerename.store.Versioned;

/**
 * Tests that each crash point is at the position that its Javadoc describes. The tests check the stored data after a
 * process dies at each point.
 */
class CrashPointsOfRenamesTest {

    private static final Delivery REPLACING = Deliveries.of(Deliveries.replace("r1", "files", "/a", "/e"));
    private static final Set<CrashPoint> GIVING_BACK =
            EnumSet.of(CrashPoint.BEFORE_ATTEMPT_RELEASE, CrashPoint.AFTER_ATTEMPT_RELEASE);

    /** The number of documents at or below the source. */
    private static final int ALL = 5;

    private final World world = new World().withTree();

    CrashPointsOfRenamesTest() {
        world.directory("e", "/e");
        // the rename writes its entry before each page except the first
        world.calls.interfere(new Interference() {
            @Override
            public void after(Call call) {
                if (call.name().equals("tree.nextPage")) {
                    world.time.advance(DecidedRename.BETWEEN_WRITES);
                }
            }
        });
    }

    static Stream<CrashPoint> pointsOfOneRename() {
        return Stream.of(CrashPoint.values())
                .filter(point -> !point.isOfJanitor())
                .filter(point -> !GIVING_BACK.contains(point))
                // only the loop of the worker reaches the point BEFORE_OFFSET
                .filter(point -> point != CrashPoint.BEFORE_OFFSET);
    }

    private boolean diesAt(CrashPoint point) {
        Renamer renamer = new Renamer(Crashing.ofWorker(Dying.at(point), world.stores()), world.context("worker-1"));
        return Death.of(() -> renamer.run(REPLACING));
    }

    private Optional<State> state() {
        return world.journal.read("r1").map(Versioned::value).map(JournalEntry::state);
    }

    /** Returns the number of documents that are at their new path. */
    private long moved() {
        Map<String, String> renamed = World.treeAt("/e");
        renamed.remove("ab");
        return renamed.entrySet().stream()
                .filter(document -> document.getValue().equals(world.paths().get(document.getKey())))
                .count();
    }

    private static Optional<State> stateAt(CrashPoint point) {
        if (point == CrashPoint.BEFORE_PREPARE) {
            return Optional.empty();
        }
        if (point.compareTo(CrashPoint.AFTER_COMMIT) < 0) {
            return Optional.of(State.PREPARED);
        }
        if (point.compareTo(CrashPoint.AFTER_DONE) < 0) {
            return Optional.of(State.MOVING);
        }
        return Optional.of(point == CrashPoint.AFTER_CLOSE ? State.CLOSED : State.DONE);
    }

    /**
     * Returns the number of documents that have moved when the process dies. The document of the directory moves first
     * and alone. The other documents follow in pages of two. The first page contains the document of the directory
     * again.
     */
    private static long movedAt(CrashPoint point) {
        return switch (point) {
            case AFTER_MOVE -> 1;
            case BEFORE_PROGRESS, AFTER_PROGRESS, BETWEEN_PAGES -> 2;
            case WITHIN_MOVE -> 3;
            default -> point.compareTo(CrashPoint.BETWEEN_PAGES) < 0 ? 0 : ALL;
        };
    }

    @ParameterizedTest
    @MethodSource("pointsOfOneRename")
    void a_worker_dies_at_its_crash_point_and_the_rename_ends_once(CrashPoint point) {
        assertThat(diesAt(point)).isTrue();

        assertThat(state()).isEqualTo(stateAt(point));
        assertThat(moved()).isEqualTo(movedAt(point));
        assertThat(world.paths().containsKey("e")).isEqualTo(point.compareTo(CrashPoint.AFTER_REMOVAL) < 0);
        assertThat(world.locks.tables().isEmpty())
                .isEqualTo(point == CrashPoint.BEFORE_PREPARE || point.compareTo(CrashPoint.AFTER_RELEASE) >= 0);
        assertThat(world.outcomes.of("r1").size()).isEqualTo(point.compareTo(CrashPoint.AFTER_OUTCOME) >= 0 ? 1 : 0);

        world.process("worker-1", ProcessState.FENCED);
        world.rollForward("janitor-1").ofDead("r1");
        world.renamer("worker-2").run(REPLACING);

        assertThat(moved()).isEqualTo(ALL);
        assertThat(Set.copyOf(world.outcomes.of("r1"))).hasSize(1);
        world.assertQuiet();
    }

    @ParameterizedTest
    @EnumSource(names = {"BEFORE_ATTEMPT_RELEASE", "AFTER_ATTEMPT_RELEASE"})
    void a_refused_worker_dies_before_or_after_it_releases_its_hold(CrashPoint point) {
        world.heldByAnother("/a", "/x");

        assertThat(diesAt(point)).isTrue();

        assertThat(state()).contains(State.PREPARED);
        String hold = world.entry("r1").ownership().holdId();
        assertThat(world.locks.tables().toString().contains("Hold[holdId=" + hold))
                .as("%s of %s", hold, world.locks.tables())
                .isEqualTo(point == CrashPoint.BEFORE_ATTEMPT_RELEASE);
    }

    private boolean janitorDiesAt(CrashPoint point) {
        RollForward dying = world.rollForward("janitor-1", Crashing.ofJanitor(Dying.at(point), world.stores()));
        return Death.of(() -> dying.ofDead("r1"));
    }

    @ParameterizedTest
    @EnumSource(names = {"AFTER_TAKE_OVER", "ROLLING_FORWARD", "BEFORE_RECLAIM"})
    void a_janitor_dies_while_it_rolls_a_decided_rename_forward(CrashPoint point) {
        assertThat(diesAt(CrashPoint.AFTER_COMMIT)).isTrue();
        world.process("worker-1", ProcessState.FENCED);

        assertThat(janitorDiesAt(point)).isTrue();

        assertThat(world.entry("r1").ownership().processId()).isEqualTo("janitor-1");
        assertThat(moved())
                .isEqualTo(new TreeMap<>(Map.of(
                                CrashPoint.AFTER_TAKE_OVER, 0L,
                                CrashPoint.ROLLING_FORWARD, 2L,
                                CrashPoint.BEFORE_RECLAIM, (long) ALL))
                        .get(point));
        assertThat(world.locks.tables()).isNotEmpty();
    }

    @Test
    void a_janitor_dies_between_the_release_and_the_retry_of_an_undecided_rename() {
        assertThat(diesAt(CrashPoint.BEFORE_COMMIT)).isTrue();
        world.process("worker-1", ProcessState.FENCED);

        assertThat(janitorDiesAt(CrashPoint.BEFORE_RETRY)).isTrue();

        assertThat(state()).contains(State.PREPARED);
        assertThat(world.locks.tables()).isEmpty();
        assertThat(moved()).isZero();
    }

    @Test
    void a_janitor_dies_after_it_has_fenced_a_process() {
        world.process("worker-1", ProcessState.LIVE);
        ProcessStore dying = Crashing.ofJanitor(Dying.at(CrashPoint.AFTER_FENCE), world.processes);
        Versioned<ProcessDocument> found = dying.read(new ProcessId("worker-1")).orElseThrow();

        assertThat(Death.of(() -> dying.write(found.value().in(ProcessState.STOPPED), found.version())))
                .isFalse();
        Versioned<ProcessDocument> stopped =
                dying.read(new ProcessId("worker-1")).orElseThrow();
        assertThat(Death.of(() -> dying.write(stopped.value().in(ProcessState.FENCED), stopped.version())))
                .isTrue();

        assertThat(world.processes.ids(ProcessState.FENCED)).containsExactly(new ProcessId("worker-1"));
    }

    @Test
    void returns_the_stores_unchanged_without_a_crash_point() {
        Stores stores = world.stores();

        assertThat(Crashing.ofWorker(CrashPoints.OFF, stores)).isSameAs(stores);
        assertThat(Crashing.ofJanitor(CrashPoints.OFF, stores)).isSameAs(stores);
        assertThat(Crashing.ofJanitor(CrashPoints.OFF, world.processes)).isSameAs(world.processes);
    }
}
