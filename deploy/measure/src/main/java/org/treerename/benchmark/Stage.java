package org.treerename.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.installation.Installation;
import org.treerename.janitor.admin.TopicCreation;
import org.treerename.runtime.Time;
import org.treerename.stack.ElasticsearchSettings;
import org.treerename.stack.KafkaSettings;
import org.treerename.stack.LocalStack;

/**
 * Starts the servers of the benchmarks, with new data below one folder. Elasticsearch and Kafka start when a benchmark
 * uses one of them for the first time. {@link #close}, Ctrl-C and SIGTERM end all servers and delete the folder. If
 * this process is killed, the servers end, but the folder remains.
 */
final class Stage implements AutoCloseable {

    static final int PARTITIONS = 8;

    private static final short REPLICAS = 1;
    private static final Duration REQUEST = Duration.ofSeconds(30);

    /** The settings with which Kafka detects a killed worker after 6 s instead of 45 s. */
    private static final Map<String, String> SHORT_SESSIONS = Map.of(
            "group.consumer.session.timeout.ms", "6000",
            "group.consumer.min.session.timeout.ms", "1000",
            "group.consumer.heartbeat.interval.ms", "1000",
            "group.consumer.min.heartbeat.interval.ms", "500");

    private final Path folder;
    private final Options options;
    private final Progress progress;
    private final Time time;
    private final Thread hook = Thread.ofPlatform().name("stage-shutdown").unstarted(this::end);

    /** The actions that run at the end of the stage. The action that was added last runs first. */
    private final Deque<Runnable> endActions = new ArrayDeque<>();

    /** All workers that were started, including workers that have ended. */
    private final List<Service> workers = new ArrayList<>();

    private boolean ended;
    private int services;
    private @Nullable LocalStack servers;
    private @Nullable Es es;

    /**
     * The options with which the servers and the workers are started.
     *
     * @param elasticsearchHeap the heap size of Elasticsearch, as for {@code -Xmx}
     * @param workerOptions the options of every worker; these options override the options that a benchmark sets
     */
    record Options(String elasticsearchHeap, List<String> workerOptions) {
        Options {
            workerOptions = List.copyOf(workerOptions);
        }
    }

    /**
     * Creates a stage, but does not start a server.
     *
     * @param folder the folder of the data, which is deleted at the end
     */
    Stage(Path folder, Options options, Progress progress, Time time) {
        this.folder = folder;
        this.options = options;
        this.progress = progress;
        this.time = time;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private synchronized LocalStack servers() {
        if (servers == null) {
            progress.report("starting Elasticsearch and Kafka");
            LocalStack started = LocalStack.start(
                    ElasticsearchSettings.in(folder.resolve("elasticsearch")).withHeap(options.elasticsearchHeap()),
                    KafkaSettings.in(folder.resolve("kafka")).withSettings(SHORT_SESSIONS));
            atEnd(started.elasticsearch()::kill);
            atEnd(started.kafka()::kill);
            try (Elastic elastic = Elastic.connect(
                            Elastic.Settings.of(started.elasticsearch().url(), REQUEST));
                    Admin admin = Admin.create(
                            Map.of("bootstrap.servers", started.kafka().bootstrapServers()))) {
                new ControlIndex(elastic).create();
                TopicCreation.create(admin, Installation.DEFAULT, PARTITIONS, REPLICAS);
            }
            servers = started;
        }
        return servers;
    }

    /**
     * Returns the client of Elasticsearch. If Elasticsearch and Kafka do not run yet, starts both, and creates the
     * control index and the topics.
     */
    synchronized Es es() {
        if (es == null) {
            es = new Es(elasticsearchUrl());
        }
        return es;
    }

    String elasticsearchUrl() {
        return servers().elasticsearch().url();
    }

    /**
     * Returns the bootstrap servers of Kafka. If Elasticsearch and Kafka do not run yet, starts both, and creates the
     * control index and the topics.
     */
    String kafkaBootstrapServers() {
        return servers().kafka().bootstrapServers();
    }

    /**
     * Starts a worker and waits until the worker is live. The worker ends with the stage, unless the caller ends it
     * earlier.
     */
    Service worker(String... more) {
        Map<String, String> byName = new LinkedHashMap<>();
        for (String option :
                Stream.concat(Stream.of(more), options.workerOptions().stream()).toList()) {
            byName.put(option.replaceFirst("=.*", ""), option);
        }
        Service worker = service(Service.WORKER, "worker", byName.values().toArray(String[]::new));
        synchronized (this) {
            workers.add(worker);
        }
        return worker;
    }

    /**
     * Returns an object that reads the processor times of Elasticsearch, Kafka, the workers and this process. Each
     * reading contains the workers that are running at that moment.
     */
    ProcessorTime processorTime() {
        LocalStack running = servers();
        return new ProcessorTime(() -> Map.of(
                Role.ELASTICSEARCH, List.of(running.elasticsearch().pid()),
                Role.KAFKA, List.of(running.kafka().pid()),
                Role.WORKERS, runningWorkers(),
                Role.CLIENT, List.of(ProcessHandle.current().pid())));
    }

    private synchronized List<Long> runningWorkers() {
        return workers.stream()
                .filter(worker -> worker.process().isAlive())
                .map(Service::pid)
                .toList();
    }

    /**
     * Starts a janitor and waits until the janitor is live. The janitor ends with the stage, unless the caller ends it
     * earlier.
     */
    Service janitor(String... options) {
        return service(Service.JANITOR, "janitor", options);
    }

    private Service service(String mainClass, String name, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--elasticsearch-url=" + elasticsearchUrl(), "--kafka-bootstrap-servers=" + kafkaBootstrapServers()));
        arguments.addAll(List.of(more));
        Service service = Service.start(mainClass, folder.resolve(name + "-" + nextService() + ".log"), arguments);
        atEnd(service::kill);
        return service.awaitLive(time);
    }

    private synchronized int nextService() {
        return ++services;
    }

    /** Creates a folder for the data of a server that the stage does not start itself. */
    Path folder(String name) {
        try {
            return Files.createDirectories(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create the folder " + folder.resolve(name), e);
        }
    }

    /**
     * Adds an action that runs at the end of the stage, usually to end a process. Actions that were added later run
     * first. The action must do nothing if the process has already ended.
     */
    synchronized void atEnd(Runnable ending) {
        if (ended) {
            ending.run();
            throw new IllegalStateException("the run has ended, so it starts no further process");
        }
        endActions.push(ending);
    }

    /**
     * Returns whether the stage has ended. At its end, the stage kills the servers, so a running benchmark is expected
     * to fail.
     */
    synchronized boolean isEnded() {
        return ended;
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // this process is shutting down, and the hook ends the stage
        }
        end();
    }

    /**
     * Kills all processes, and deletes the folder. A graceful shutdown is not necessary, because the data is deleted.
     */
    private void end() {
        List<Runnable> all;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            all = List.copyOf(endActions);
        }
        all.forEach(Runnable::run);
        delete(folder);
    }

    /** Deletes a folder and its content. Ignores files that another process has already deleted. */
    static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            // a process of the stage has already deleted this file
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete the data of the benchmarks in " + folder, e);
        }
    }
}
