package org.treerename.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.treerename.benchmark.Rounds.Side;
import picocli.CommandLine.Option;

/** Measures the number of lock sets that tree rename and its alternatives acquire and release per second. */
final class Locks implements Benchmark {

    private static final int CROWDED = 64;
    private static final Duration HELD_TO_TRY = Duration.ofMillis(5);
    private static final Crowd WARM_UP = new Crowd(4, CROWDED, false);
    private static final int TINY_MILLIS = 50;
    private static final int SHORT_MILLIS = 300;

    @Option(
            names = "--depths",
            defaultValue = "2,4,8",
            split = ",",
            paramLabel = "N",
            description = "locks: the depths of the source and the destination, separated by commas (default:"
                    + " ${DEFAULT-VALUE}).")
    private List<Integer> depths = List.of(2, 4, 8);

    @Option(
            names = "--threads",
            defaultValue = "1,64",
            split = ",",
            paramLabel = "N",
            description = "locks: the numbers of threads, separated by commas (default: ${DEFAULT-VALUE}).")
    private List<Integer> threads = List.of(1, CROWDED);

    @Option(
            names = "--lock-millis",
            defaultValue = "1000",
            paramLabel = "N",
            description = "locks: the number of milliseconds for which each compared variant is measured in a round"
                    + " (default: ${DEFAULT-VALUE}).")
    private int millis = 1_000;

    @Option(
            names = "--lock-held-millis",
            defaultValue = "5",
            paramLabel = "N",
            description = "locks: the smallest number of milliseconds for which each lock set is held (default:"
                    + " ${DEFAULT-VALUE}).")
    private int heldMillis = 5;

    @Option(
            names = "--lock-warm-up",
            defaultValue = "5",
            paramLabel = "N",
            description = "locks: the number of seconds for which each compared variant runs with 64 threads before"
                    + " the measurement (default: ${DEFAULT-VALUE}).")
    private int warmUpSeconds = 5;

    @Override
    public String name() {
        return "locks";
    }

    @Override
    public String compares() {
        return "Several threads acquire and release lock sets at several depths. In some variants, no two threads"
                + " share a directory. In the other variants, all paths are below one shared directory. The"
                + " benchmark compares tree rename with the requests of the guide, with Curator on ZooKeeper, with"
                + " Redisson on Redis, and with ShedLock on the same Elasticsearch. Tree rename also writes its"
                + " journal entry, and its waiting threads share requests.";
    }

    @Override
    public List<Comparison> run(Setting setting) throws Exception {
        Stage stage = setting.stage();
        setting.progress().report("starting ZooKeeper and Redis");
        ZooKeeper zooKeeper = ZooKeeper.start(stage, setting.time());
        Redis redis = Redis.start(stage, setting.time());
        try (EngineLocks engine = new EngineLocks(stage);
                CuratorLocks curator = new CuratorLocks(zooKeeper);
                RedissonLocks redisson = new RedissonLocks(redis);
                ShedLocks shed = new ShedLocks(stage, setting.time())) {
            GuideLocks guide = new GuideLocks(stage);
            for (Locking locking : List.of(engine, guide, curator, redisson, shed)) {
                Exclusion.require(locking, () -> setting.time().pause(HELD_TO_TRY));
            }
            for (Locking locking : List.of(engine, guide, curator, redisson, shed)) {
                warmUp(setting, locking);
            }
            List<Comparison> comparisons = new ArrayList<>();
            for (int depth : depths(setting)) {
                for (int crowd : threads(setting)) {
                    setting.progress().report("depth " + depth + ", " + crowd + " at once");
                    comparisons.addAll(
                            compared(setting, depth, crowd, List.of(engine, guide, curator, redisson), shed));
                }
            }
            return comparisons;
        }
    }

    private List<Integer> depths(Setting setting) {
        return setting.tiny() ? List.of(2) : depths;
    }

    private List<Integer> threads(Setting setting) {
        return setting.tiny() ? List.of(2) : threads;
    }

    /**
     * Acquires and releases locks before the measurement, so that the JVMs of the servers and of this process compile
     * the code.
     */
    private void warmUp(Setting setting, Locking locking) throws Exception {
        if (!setting.tiny()) {
            double perSecond = WARM_UP.play(locking, setting.stretch(warmUpSeconds), held(), setting.time())
                    .perSecond();
            setting.progress().report(locking.name() + " warms up: " + Figure.text(perSecond) + " lock sets/s");
        }
    }

    private long warmUpMillis(Setting setting) {
        return setting.tiny() ? 0 : setting.stretch(warmUpSeconds).toMillis();
    }

    private Duration held() {
        return Duration.ofMillis(heldMillis);
    }

    private List<Comparison> compared(Setting setting, int depth, int crowd, List<Locking> all, Locking single)
            throws Exception {
        List<Side> sides = new ArrayList<>();
        for (Locking locking : all) {
            sides.add(side(setting, locking, new Crowd(depth, crowd, false)));
            sides.add(side(setting, locking, new Crowd(depth, crowd, true)));
        }
        sides.add(side(setting, single, new Crowd(depth, crowd, false)));
        List<String> names =
                sides.stream().map(side -> side.measures().getFirst().name()).toList();
        List<Series> played = setting.rounds().play(sides);
        String title = "Lock sets of depth " + depth + ", " + crowd + " at once";
        return List.of(
                new Comparison(
                        title,
                        "lock sets/s",
                        Better.HIGHER,
                        Costs.figuresOf(names, played),
                        goals(depth, crowd, all),
                        notes(setting, depth, crowd)),
                costs(setting).comparison(title, names, played, List.of()));
    }

    private List<String> notes(Setting setting, int depth, int crowd) {
        return List.of(
                "Each lock set contains two exclusive locks: one on a source and one on a destination in the same"
                        + " directory. The guide's"
                        + " requests also acquire shared locks on the " + (depth - 1) + " directories above the source"
                        + " and the destination. ShedLock acquires only one lock. Elasticsearch and ZooKeeper write to"
                        + " the disk before they acknowledge a write. Redis does not.",
                "Each lock set is held for at least " + heldMillis + " ms. So " + crowd
                        + " threads cannot acquire more than "
                        + Figure.text(1_000.0 * crowd / Math.max(1, heldMillis))
                        + " lock sets per second. Before the first measurement, each variant acquired locks for "
                        + warmUpMillis(setting) + " ms, with " + CROWDED + " threads.");
    }

    private Side side(Setting setting, Locking locking, Crowd crowd) {
        Duration length = Duration.ofMillis(setting.size(millis, SHORT_MILLIS, TINY_MILLIS));
        return costs(setting)
                .side(
                        side(locking, crowd.hot()),
                        locking.roles(),
                        () -> {},
                        () -> crowd.play(locking, length, held(), setting.time()),
                        () -> {});
    }

    private static Costs costs(Setting setting) {
        return Costs.ofLockSets(setting.stage().processorTime());
    }

    private static String side(Locking locking, boolean hot) {
        return locking.name() + (hot ? ", one hot ancestor" : ", disjoint");
    }

    /** Returns the goals of a comparison. Returns an empty list if there are fewer than 64 concurrent threads. */
    private static List<Goal> goals(int depth, int crowd, List<Locking> all) {
        if (crowd < CROWDED) {
            return List.of();
        }
        return Goals.lockSets(
                depth,
                side(all.get(0), false),
                side(all.get(0), true),
                side(all.get(1), false),
                side(all.get(2), false),
                side(all.get(3), false));
    }
}
