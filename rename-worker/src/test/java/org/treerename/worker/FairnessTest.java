package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Renamer;
import org.treerename.rename.Stores;
import org.treerename.request.Outcome;
import org.treerename.request.Status;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import org.treerename.store.WriteResult;

/**
 * Tests the order in which renames on real threads acquire the same locks. Each test checks how many younger renames
 * acquire their locks after an older conflicting rename has left its claim.
 */
class FairnessTest {

    private static final Duration PATIENT = Duration.ofMinutes(5);

    /** The result of one attempt. The results are numbered in the order of their arrival. */
    private record Event(long number, String worker, LockPriority age, LockSet locks, boolean taken) {}

    private final World world = new World();
    private final Time time = new SystemTime();
    private final List<Event> events = new ArrayList<>();
    private final AtomicLong appended = new AtomicLong(Deliveries.APPENDED.toEpochMilli());

    /** A journal that records the result of each attempt. */
    private record Watched(Journal journal, FairnessTest test) implements ForwardingJournal {

        @Override
        public Prepared prepare(Attempt attempt) {
            Prepared prepared = journal.prepare(attempt);
            if (prepared.entry() instanceof WriteResult.Written) {
                test.add(attempt, prepared.taken());
            }
            return prepared;
        }
    }

    private synchronized void add(Journal.Attempt attempt, boolean taken) {
        String requestId = attempt.entry().requestId();
        String worker = requestId.substring(0, requestId.indexOf('.'));
        events.add(new Event(events.size(), worker, attempt.hold().age(), attempt.locks(), taken));
    }

    private synchronized List<Event> events() {
        return List.copyOf(events);
    }

    private Renamer renamer(String processId) {
        Stores stores =
                new Stores(world.namespaces, new Watched(world.journal, this), world.locks, world.tree, world.outcomes);
        // the pauses are a hundredth of a worker's pauses, because the renames are shorter by the same factor
        Backoff.Factory backoffs = new Backoff.Factory(
                time,
                IntervalFunction.ofExponentialRandomBackoff(Duration.ofMillis(1), 1.7, 0.5, Duration.ofMillis(20)));
        ProcessContext context = new ProcessContext(processId, time, backoffs, PATIENT, 10, new StopSignal());
        return new Renamer(stores, context);
    }

    private Outcome run(Renamer renamer, String requestId, String source, String destination) {
        Instant appendedAt = Instant.ofEpochMilli(appended.incrementAndGet());
        Delivery delivery =
                Deliveries.of(Deliveries.rename(requestId, "files", source, destination), appended.get(), appendedAt);
        assertThat(renamer.run(delivery)).isInstanceOf(Renamer.Answer.Published.class);
        return world.outcome(requestId);
    }

    private static void runAll(List<Callable<Void>> threads) throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(threads.size())) {
            for (Future<Void> ended : executor.invokeAll(threads)) {
                ended.get();
            }
        }
    }

    /**
     * Returns, by worker, the largest number of younger renames that overtook one older rename. A younger rename
     * overtakes if it acquires conflicting locks between the first refusal and the success of the older rename.
     *
     * @param of the priorities of the renames that count as older renames
     */
    private static Map<String, Integer> overtaking(List<Event> events, Set<LockPriority> of) {
        Map<LockPriority, Event> firstRefusals = new HashMap<>();
        Map<LockPriority, Event> successes = new HashMap<>();
        for (Event event : events) {
            (event.taken() ? successes : firstRefusals).putIfAbsent(event.age(), event);
        }
        Map<String, Integer> most = new HashMap<>();
        for (LockPriority age : of) {
            Event refused = firstRefusals.get(age);
            Event taken = successes.get(age);
            if (refused == null || taken == null || refused.number() > taken.number()) {
                continue;
            }
            events.stream()
                    .filter(e -> e.taken() && e.number() > refused.number() && e.number() < taken.number())
                    .filter(e -> age.isOlderThan(e.age()) && e.locks().conflictsWith(refused.locks()))
                    .collect(Collectors.groupingBy(Event::worker, Collectors.summingInt(e -> 1)))
                    .forEach((worker, count) -> most.merge(worker, count, Math::max));
        }
        return most;
    }

    /**
     * Returns a source and a destination. Every rename locks two directories and their ancestors, together eight paths.
     * Some renames move one directory to the path of the other directory. Some renames move a file from one directory
     * into the other directory. Two conflicting renames conflict at both directories.
     */
    private static String[] role(Random random, String unique) {
        String one = "/a/b/c/d";
        String other = "/e/f/g/h";
        return switch (random.nextInt(3)) {
            case 0 -> new String[] {one, other};
            case 1 -> new String[] {other, one};
            default -> new String[] {one + "/" + unique, other + "/" + unique};
        };
    }

    /**
     * Checks this limit: after a rename has left its claim, each other worker acquires the locks of at most one younger
     * conflicting rename. The worker had begun this younger rename before the older rename left its claim.
     */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void all_of_thirty_two_workers_acquire_the_same_eight_locks_in_different_roles(long seed) throws Exception {
        for (String path : List.of("/a", "/a/b", "/a/b/c", "/a/b/c/d", "/e", "/e/f", "/e/f/g")) {
            world.directory(path, path);
        }
        List<Callable<Void>> threads = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            String worker = "w" + i;
            Random random = new Random(seed * 100 + i);
            world.file(worker, "/a/b/c/d/" + worker);
            threads.add(() -> {
                Renamer renamer = renamer(worker);
                for (int n = 0; n < 10; n++) {
                    String[] paths = role(random, worker);
                    Outcome outcome = run(renamer, worker + "." + n, paths[0], paths[1]);
                    assertThat(outcome.status()).as(outcome.toString()).isNotEqualTo(Status.FAILED);
                }
                return null;
            });
        }

        runAll(threads);

        List<Event> all = events();
        Set<LockPriority> ages = all.stream().map(Event::age).collect(Collectors.toSet());
        assertThat(ages).hasSize(32 * 10);
        assertThat(all.stream().filter(e -> !e.taken())).as("refusals").hasSizeGreaterThan(32);
        assertThat(overtaking(all, ages).values()).allMatch(count -> count <= 1);
        world.assertQuiet();
    }

    /**
     * Renames files below a directory with 32 threads. Checks this limit: after the rename of the directory has left
     * its claim, each thread succeeds with at most one more rename. The thread had begun this rename before the claim
     * was left.
     */
    @Test
    void renames_a_directory_while_files_below_it_are_renamed_all_the_time() throws Exception {
        world.directory("a", "/a");
        for (int i = 0; i < 32; i++) {
            world.file("f" + i, "/a/f" + i);
        }
        String at = "/a";
        for (int round = 0; round < 5; round++) {
            String from = at;
            String to = "/a" + round;
            AtomicBoolean ended = new AtomicBoolean();
            List<Callable<Void>> threads = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                String thread = "t" + i;
                int number = i;
                Renamer renamer = renamer("worker-" + i % 4);
                String prefix = thread + ".r" + round + ".";
                threads.add(() -> {
                    boolean away = false;
                    for (int n = 0; !ended.get(); n++) {
                        String name = from + "/f" + number;
                        run(renamer, prefix + n, away ? name + "x" : name, away ? name : name + "x");
                        away = !away;
                    }
                    return null;
                });
            }
            String requestId = "directory." + round;
            threads.add(() -> {
                try {
                    while (events().size() < 100) {
                        Thread.onSpinWait();
                    }
                    assertThat(run(renamer("worker-5"), requestId, from, to).status())
                            .isEqualTo(Status.COMPLETED);
                } finally {
                    ended.set(true);
                }
                return null;
            });

            runAll(threads);
            at = to;
            for (int i = 0; i < 32; i++) {
                world.tree.delete(World.INDEX, "f" + i);
                world.file("f" + i, to + "/f" + i);
            }
        }
        List<Event> all = events();
        Set<LockPriority> directories = all.stream()
                .filter(e -> e.worker().equals("directory"))
                .map(Event::age)
                .collect(Collectors.toSet());
        assertThat(directories).hasSize(5);
        assertThat(all.stream().filter(e -> e.worker().equals("directory") && !e.taken()))
                .as("refusals of a directory")
                .isNotEmpty();
        assertThat(overtaking(all, directories).values()).allMatch(count -> count <= 1);
    }
}
