package org.treerename.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.stack.ChildProcess;

/**
 * Causes random faults. Kills, freezes, stops and replaces workers and janitors. Kills Elasticsearch. Makes the control
 * index refuse all requests for some seconds. The seed determines the order and the length of the events. The requests
 * that an event affects depend on the speed of the servers, so two runs with the same seed differ.
 */
final class Chaos implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Chaos.class);

    private static final int WORKERS = 3;
    private static final int JANITORS = 2;
    private static final int LONGEST_PAUSE_SECONDS = 6;
    private static final int LONGEST_FREEZE_SECONDS = 15;
    private static final int LONGEST_OUTAGE_SECONDS = 8;
    private static final int LONGEST_REFUSAL_SECONDS = 5;
    private static final String CONTROL = "/tree-rename-control";

    /** The kinds of events. All kinds have the same probability. */
    private enum Event {
        KILL_A_WORKER,
        KILL_A_WORKER_OR_JANITOR,
        FREEZE_A_WORKER,
        FREEZE_A_WORKER_OR_JANITOR,
        STOP_A_WORKER,
        KILL_ELASTICSEARCH,
        CLOSE_THE_CONTROL_INDEX,
        BLOCK_THE_CONTROL_INDEX
    }

    private final Elasticsearch elasticsearch;
    private final Random random;
    private final List<String> options;
    private final String workerOption;
    private final List<Services> workers = new ArrayList<>();
    private final List<Services> janitors = new ArrayList<>();
    private final Map<Event, Integer> counts = new TreeMap<>();

    /** The number of times that a process was killed or frozen. A frozen process may have been fenced. */
    private int hit;

    private Duration outages = Duration.ZERO;

    /**
     * Starts the services.
     *
     * @param options the options of each service
     * @param workerOption an additional option of each worker
     */
    Chaos(Elasticsearch elasticsearch, long seed, List<String> options, String workerOption) {
        this.elasticsearch = elasticsearch;
        this.random = new Random(seed);
        this.options = List.copyOf(options);
        this.workerOption = workerOption;
        for (int i = 0; i < WORKERS; i++) {
            workers.add(startWorker());
        }
        for (int i = 0; i < JANITORS; i++) {
            janitors.add(startJanitor());
        }
    }

    private Services startWorker() {
        List<String> all = new ArrayList<>(options);
        all.add(workerOption);
        return Services.start(elasticsearch, "worker", "org.treerename.worker.Main", 1, all);
    }

    private Services startJanitor() {
        return Services.start(elasticsearch, "janitor", "org.treerename.janitor.Main", 1, options);
    }

    int hit() {
        return hit;
    }

    /** Returns the sum of the times in which Elasticsearch did not run. */
    Duration outages() {
        return outages;
    }

    /** Causes events for this duration. At the end, all services and servers run again. */
    void rage(Duration length) {
        Instant end = Instant.now().plus(length);
        while (Instant.now().isBefore(end)) {
            pause(Duration.ofMillis(random.nextInt(LONGEST_PAUSE_SECONDS * 1_000)));
            Event event = Event.values()[random.nextInt(Event.values().length)];
            log.info("next event: {}", event);
            counts.merge(event, 1, Integer::sum);
            cause(event);
        }
        log.info("events and their numbers: {}", counts);
    }

    private void cause(Event event) {
        switch (event) {
            case KILL_A_WORKER -> kill(random.nextInt(WORKERS));
            case KILL_A_WORKER_OR_JANITOR -> kill(random.nextInt(WORKERS + JANITORS));
            case FREEZE_A_WORKER -> freeze(random.nextInt(WORKERS));
            case FREEZE_A_WORKER_OR_JANITOR -> freeze(random.nextInt(WORKERS + JANITORS));
            case STOP_A_WORKER -> replace(random.nextInt(WORKERS), process -> process.stop(ChildProcess.PATIENCE));
            case KILL_ELASTICSEARCH -> {
                long killedNanos = System.nanoTime();
                KillableServers.elasticsearch().kill();
                pause(atMost(LONGEST_OUTAGE_SECONDS));
                KillableServers.elasticsearch().restart();
                outages = outages.plusNanos(System.nanoTime() - killedNanos);
            }
            case CLOSE_THE_CONTROL_INDEX -> {
                elasticsearch.post(CONTROL + "/_close", "");
                pause(atMost(LONGEST_REFUSAL_SECONDS));
                elasticsearch.post(CONTROL + "/_open", "");
            }
            case BLOCK_THE_CONTROL_INDEX -> {
                block(true);
                pause(atMost(LONGEST_REFUSAL_SECONDS));
                block(false);
            }
        }
    }

    private void block(boolean isBlocked) {
        elasticsearch.put(
                CONTROL + "/_settings",
                "{\"index.blocks.read\": %s, \"index.blocks.write\": %s}".formatted(isBlocked, isBlocked));
    }

    private interface End {
        void of(ChildProcess process);
    }

    private void kill(int number) {
        hit++;
        replace(number, ChildProcess::kill);
    }

    private void replace(int number, End end) {
        List<Services> services = number < WORKERS ? workers : janitors;
        int index = number < WORKERS ? number : number - WORKERS;
        end.of(services.get(index).processes().getFirst());
        services.set(index, number < WORKERS ? startWorker() : startJanitor());
    }

    private void freeze(int number) {
        hit++;
        Services service = number < WORKERS ? workers.get(number) : janitors.get(number - WORKERS);
        long pid = service.processes().getFirst().pid();
        signal("-STOP", pid);
        pause(atMost(LONGEST_FREEZE_SECONDS));
        signal("-CONT", pid);
    }

    private Duration atMost(int seconds) {
        return Duration.ofMillis(500 + random.nextInt(seconds * 1_000));
    }

    private static void signal(String signal, long pid) {
        try {
            int code = new ProcessBuilder("kill", signal, String.valueOf(pid))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill " + signal + " " + pid + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void pause(Duration length) {
        Awaitility.await("the next event")
                .pollDelay(length)
                .atMost(length.plus(Log.PATIENCE))
                .until(() -> true);
    }

    @Override
    public void close() {
        workers.forEach(Services::close);
        janitors.forEach(Services::close);
    }
}
