package org.treerename.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.jspecify.annotations.Nullable;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.checker.ProcessDump;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.installation.Installation;
import org.treerename.janitor.admin.TopicCreation;
import org.treerename.local.ServiceProcess.Service;
import org.treerename.runtime.SystemTime;
import org.treerename.stack.ElasticsearchSettings;
import org.treerename.stack.KafkaSettings;
import org.treerename.stack.LocalStack;

/**
 * Runs the whole system on this machine: servers, topics, control index, workers and janitors. The servers start
 * without data. Each server and each service is a separate process. {@link #close}, Ctrl-C and SIGTERM end first the
 * workers, then the janitors, then the servers. All of these processes also end when this process dies.
 */
final class RunningStack implements AutoCloseable {

    private static final int PARTITIONS = 8;
    private static final short REPLICAS = 1;
    private static final Duration REQUEST = Duration.ofSeconds(30);
    private static final Duration SERVICES_READY = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int MOST_JANITORS = 8;

    /** Kafka detects a killed worker after 6 s instead of 45 s, so that users of the local stack need not wait long. */
    private static final Map<String, String> SHORT_SESSIONS = Map.of(
            "group.consumer.session.timeout.ms", "6000",
            "group.consumer.min.session.timeout.ms", "1000",
            "group.consumer.heartbeat.interval.ms", "1000",
            "group.consumer.min.heartbeat.interval.ms", "500");

    /**
     * The settings of a stack.
     *
     * @param folder the folder for data and logs; the files of an earlier stack are deleted
     * @param workerOptions command-line options for each worker
     * @param installation the installation whose names the stack uses
     */
    record Settings(
            Path folder,
            int workers,
            int janitors,
            Duration lease,
            Duration lockWait,
            List<String> workerOptions,
            Installation installation) {
        Settings {
            workerOptions = List.copyOf(workerOptions);
            if (workers < 1 || workers > PARTITIONS) {
                throw new IllegalArgumentException("--workers must be 1 to " + PARTITIONS + ", was " + workers);
            }
            if (janitors < 0 || janitors > MOST_JANITORS) {
                throw new IllegalArgumentException("--janitors must be 0 to " + MOST_JANITORS + ", was " + janitors);
            }
        }

        /**
         * Returns the folder of the data. Only this project uses a folder with this name, so the deletion of the folder
         * removes no files of another program.
         */
        Path data() {
            return folder.resolve("tree-rename-data");
        }
    }

    /** Deletes a folder and its content. Deletes symbolic links, and does not follow them. */
    private static final class Deletion extends SimpleFileVisitor<Path> {

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }

    private final LocalStack servers;
    private final Installation installation;
    private final Consumer<String> report;
    private final List<ServiceProcess> services = new ArrayList<>();
    private final Thread hook = Thread.ofPlatform().name("stack-shutdown").unstarted(this::end);
    private boolean ended;

    private RunningStack(LocalStack servers, Installation installation, Consumer<String> report) {
        this.servers = servers;
        this.installation = installation;
        this.report = report;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Starts the stack and waits until every worker and every janitor is live.
     *
     * @param report receives a message about each service that ends by itself
     */
    static RunningStack start(Settings settings, Consumer<String> report) {
        try {
            if (Files.exists(settings.data())) {
                Files.walkFileTree(settings.data(), new Deletion());
            }
            Files.createDirectories(settings.data());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot empty " + settings.data(), e);
        }
        LocalStack servers = LocalStack.start(
                ElasticsearchSettings.in(settings.data().resolve("elasticsearch")),
                KafkaSettings.in(settings.data().resolve("kafka")).withSettings(SHORT_SESSIONS));
        RunningStack stack = new RunningStack(servers, settings.installation(), report);
        try {
            stack.prepare();
            stack.startServices(settings);
            return stack;
        } catch (RuntimeException e) {
            stack.close();
            throw e;
        }
    }

    private void prepare() {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, kafkaBootstrapServers()))) {
            TopicCreation.create(admin, installation, PARTITIONS, REPLICAS);
        }
        try (Elastic elastic =
                Elastic.connect(Elastic.Settings.of(elasticsearchUrl(), REQUEST).in(installation))) {
            new ControlIndex(elastic).create();
        }
    }

    private void startServices(Settings settings) {
        List<String> addresses = List.of(
                "--kafka-bootstrap-servers=" + kafkaBootstrapServers(),
                "--elasticsearch-url=" + elasticsearchUrl(),
                "--prefix=" + installation.prefix());
        for (int number = 1; number <= settings.workers(); number++) {
            add(ServiceProcess.worker(number, settings, addresses));
        }
        for (int number = 1; number <= settings.janitors(); number++) {
            add(ServiceProcess.janitor(number, settings, addresses));
        }
        Patience patience = new Patience(new SystemTime(), POLL);
        try (ElasticsearchHttp http = new ElasticsearchHttp(elasticsearchUrl(), installation)) {
            boolean decided = patience.until(
                    SERVICES_READY,
                    () -> !services().stream().allMatch(ServiceProcess::isAlive)
                            || Arrays.stream(Service.values()).allMatch(service -> areLive(http, service)));
            for (ServiceProcess service : services()) {
                if (!service.isAlive() || !decided) {
                    throw new IllegalStateException("expected that all workers and janitors are live within "
                            + SERVICES_READY.toSeconds() + " s"
                            + (service.isAlive() ? ", but at least one is not live" : ", but " + service + " ended")
                            + "; the end of " + service.log() + ":\n" + LogEnd.of(service.log()));
                }
            }
        }
    }

    private boolean areLive(ElasticsearchHttp http, Service service) {
        return ProcessDump.read(http).live(service.word())
                >= services().stream().filter(s -> s.service() == service).count();
    }

    private void add(ServiceProcess service) {
        synchronized (this) {
            services.add(service);
        }
        service.onEnd(this::serviceEnded);
    }

    private void serviceEnded(ServiceProcess service) {
        if (!isEnded()) {
            report.accept(service + " ended by itself with exit code " + service.exitCode()
                    + "; it is not started again; its log: " + service.log());
        }
    }

    private synchronized boolean isEnded() {
        return ended;
    }

    /** Returns the workers, then the janitors. */
    synchronized List<ServiceProcess> services() {
        return List.copyOf(services);
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

    /** Returns the addresses and the process ids of the stack, for other commands. */
    StackEnv env() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(StackEnv.KAFKA, kafkaBootstrapServers());
        values.put(StackEnv.ELASTICSEARCH, elasticsearchUrl());
        values.put(StackEnv.PREFIX, installation.prefix());
        values.put(StackEnv.STACK_PID, String.valueOf(ProcessHandle.current().pid()));
        values.put("ELASTICSEARCH_PID", String.valueOf(servers.elasticsearch().pid()));
        values.put("KAFKA_PID", String.valueOf(servers.kafka().pid()));
        for (ServiceProcess service : services()) {
            values.put(service.service() + "_" + service.number() + "_PID", String.valueOf(service.pid()));
            values.put(service.service() + "_" + service.number() + "_URL", service.httpUrl());
            String console = service.consoleUrl();
            if (!console.isEmpty()) {
                values.put(service.service() + "_" + service.number() + "_CONSOLE_URL", console);
            }
        }
        return new StackEnv(values);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // this process is shutting down, and the shutdown hook ends the stack
        }
        end();
    }

    private void end() {
        List<ServiceProcess> last;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            last = List.copyOf(services);
        }
        try (servers) {
            for (Service service : Service.values()) {
                stop(last.stream().filter(process -> process.service() == service));
            }
        }
    }

    private static void stop(Stream<ServiceProcess> together) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            together.forEach(process -> threads.execute(process::stop));
        }
    }
}
