package org.treerename.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.checker.ProcessDump;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.runtime.SystemTime;
import org.treerename.stack.LocalStack;
import org.treerename.wire.TopicCreation;

/**
 * The whole system on this machine: servers with empty data, topics, control index, and workers, each a process of its own.
 * It ends with {@link #close}, with Ctrl-C or SIGTERM (the workers first), and with this process's death of any kind.
 */
final class RunningStack implements AutoCloseable {

    /** The consumer group of the workers. */
    static final String GROUP = "rename-workers";

    static final int PARTITIONS = 8;

    private static final short REPLICAS = 1;
    private static final Duration REQUEST = Duration.ofSeconds(30);
    private static final Duration WORKERS_READY = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(200);

    /**
     * What to start.
     *
     * @param folder for data and logs; what an earlier stack has left there is deleted
     */
    record Settings(Path folder, int workers, Duration lease, Duration lockWait) {
        Settings {
            if (workers < 1 || workers > PARTITIONS) {
                throw new IllegalArgumentException(
                        "a local stack has 1 to " + PARTITIONS + " workers, found " + workers);
            }
        }

        /** Named so that nothing of anybody else's is ever deleted with it. */
        Path data() {
            return folder.resolve("tree-rename-data");
        }
    }

    private final LocalStack servers;
    private final Consumer<String> tell;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final Thread hook = Thread.ofPlatform().name("stack-shutdown").unstarted(this::end);
    private boolean ended;

    private RunningStack(LocalStack servers, Consumer<String> tell) {
        this.servers = servers;
        this.tell = tell;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Starts it and waits until every worker is live.
     *
     * @param tell is told, in words, of a worker that ends by itself
     */
    static RunningStack start(Settings settings, Consumer<String> tell) {
        try {
            FolderTree.delete(settings.data());
            Files.createDirectories(settings.data());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot empty " + settings.data(), e);
        }
        RunningStack stack = new RunningStack(LocalStack.start(settings.data()), tell);
        try {
            stack.prepare();
            stack.startWorkers(settings);
            return stack;
        } catch (RuntimeException e) {
            stack.close();
            throw e;
        }
    }

    private void prepare() {
        try (Admin admin = admin()) {
            TopicCreation.create(admin, PARTITIONS, REPLICAS);
        }
        try (Elastic elastic = Elastic.connect(Elastic.Settings.of(elasticsearchUrl(), REQUEST))) {
            new ControlIndex(elastic).create();
        }
    }

    private void startWorkers(Settings settings) {
        for (int number = 1; number <= settings.workers(); number++) {
            WorkerProcess worker = WorkerProcess.start(number, settings, kafkaBootstrapServers(), elasticsearchUrl());
            add(worker);
            worker.onEnd(this::workerEnded);
        }
        Patience patience = new Patience(new SystemTime(), POLL);
        try (ElasticsearchHttp http = new ElasticsearchHttp(elasticsearchUrl())) {
            boolean decided = patience.until(
                    WORKERS_READY,
                    () -> !workers().stream().allMatch(WorkerProcess::isAlive)
                            || ProcessDump.read(http).live("worker") >= settings.workers());
            for (WorkerProcess worker : workers()) {
                if (!worker.isAlive() || !decided) {
                    throw new IllegalStateException(
                            worker + (decided ? " ended" : " is not live after " + WORKERS_READY)
                                    + "; the end of its log " + worker.log() + ":\n" + LogEnd.of(worker.log()));
                }
            }
        }
    }

    private synchronized void add(WorkerProcess worker) {
        workers.add(worker);
    }

    private void workerEnded(WorkerProcess worker) {
        if (!isEnded()) {
            tell.accept(worker + " has ended by itself, with exit code " + worker.exitCode()
                    + "; it is not started again; its log: " + worker.log());
        }
    }

    private synchronized boolean isEnded() {
        return ended;
    }

    synchronized List<WorkerProcess> workers() {
        return List.copyOf(workers);
    }

    String elasticsearchUrl() {
        return servers.elasticsearch().url();
    }

    String kafkaBootstrapServers() {
        return servers.kafka().bootstrapServers();
    }

    LocalStack servers() {
        return servers;
    }

    /** The caller closes it. */
    Admin admin() {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, kafkaBootstrapServers()));
    }

    /** The addresses and the processes, for other commands. */
    StackEnv env() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(StackEnv.KAFKA, kafkaBootstrapServers());
        values.put(StackEnv.ELASTICSEARCH, elasticsearchUrl());
        values.put(StackEnv.STACK_PID, String.valueOf(ProcessHandle.current().pid()));
        values.put("ELASTICSEARCH_PID", String.valueOf(servers.elasticsearch().pid()));
        values.put("KAFKA_PID", String.valueOf(servers.kafka().pid()));
        for (WorkerProcess worker : workers()) {
            values.put("WORKER_" + worker.number() + "_PID", String.valueOf(worker.pid()));
        }
        return new StackEnv(values);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // this process is shutting down, and the hook is at it
        }
        end();
    }

    private void end() {
        List<WorkerProcess> last;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            last = List.copyOf(workers);
        }
        try (servers;
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            last.forEach(worker -> threads.execute(worker::stop));
        }
    }
}
