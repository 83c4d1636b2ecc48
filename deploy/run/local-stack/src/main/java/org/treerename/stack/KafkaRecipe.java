package org.treerename.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;

/**
 * Writes the configuration of one Kafka server, and checks whether Kafka answers. The broker and the controller run in
 * one process. Kafka has two ports: the first for the clients, the second for the controller.
 *
 * <p>The folder of Kafka contains {@code config}, {@code data} and {@code kafka.log}. The data folder is formatted if
 * it has no {@code meta.properties}, because the formatter writes this file last.
 */
record KafkaRecipe(KafkaSettings settings, Path libs) implements Startup.Recipe {
    private static final Duration FORMAT_TIMEOUT = Duration.ofMinutes(1);
    private static final int REQUEST_MILLIS = 5_000;
    private static final String TWO_MIB = Integer.toString(2 * 1024 * 1024);

    @Override
    public String name() {
        return "Kafka";
    }

    Path log() {
        return settings.folder().resolve("kafka.log");
    }

    @Override
    public JavaCommand prepare(List<Integer> ports) throws IOException {
        Path config = Files.createDirectories(settings.folder().resolve("config"));
        Path logging = config.resolve("log4j2.properties");
        try (InputStream in = KafkaRecipe.class.getResourceAsStream("kafka-log4j2.properties")) {
            Files.copy(
                    Objects.requireNonNull(in, "kafka-log4j2.properties"),
                    logging,
                    StandardCopyOption.REPLACE_EXISTING);
        }
        Path properties = config.resolve("server.properties");
        Files.writeString(properties, properties(ports));
        if (!Files.exists(metaProperties())) {
            format(properties, logging);
        }
        return java("kafka.Kafka", logging, settings.heap(), settings.jvmOptions())
                .arguments(properties.toString());
    }

    /** Returns whether a broker answers with the cluster id of this data folder. */
    @Override
    public boolean answers(List<Integer> ports) {
        if (LoopbackPorts.isFree(ports.getFirst())) {
            return false; // the client would log warnings about refused connections
        }
        Map<String, Object> client = new HashMap<>(settings.client());
        client.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:" + ports.getFirst());
        client.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
        client.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
        Admin admin = Admin.create(client);
        try {
            var cluster = admin.describeCluster();
            return cluster.clusterId()
                            .get(REQUEST_MILLIS, TimeUnit.MILLISECONDS)
                            .equals(clusterId())
                    && !cluster.nodes()
                            .get(REQUEST_MILLIS, TimeUnit.MILLISECONDS)
                            .isEmpty();
        } catch (ExecutionException | TimeoutException | IOException e) {
            return false; // the broker does not answer yet
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private void format(Path properties, Path logging) throws IOException {
        JavaCommand command = java("kafka.tools.StorageTool", logging, "256m", ElasticsearchSettings.SHORT_LIVED)
                .arguments("format", "--cluster-id", Uuid.randomUuid().toString(), "--config", properties.toString());
        ChildProcess formatter = command.start();
        try {
            int code = formatter.waitFor(FORMAT_TIMEOUT);
            if (code != 0) {
                throw new IllegalStateException(
                        "Kafka's StorageTool: expected exit code 0, was " + code + "; " + LogTail.of(log()));
            }
        } finally {
            formatter.kill();
        }
    }

    private JavaCommand java(String mainClass, Path logging, String heap, List<String> jvmOptions) {
        List<String> all = new ArrayList<>(List.of("-Xms" + heap, "-Xmx" + heap));
        all.add("-Dlog4j2.configurationFile=" + logging);
        all.addAll(jvmOptions);
        return JavaCommand.of(mainClass, libs + "/*", log()).jvmOptions(all.toArray(String[]::new));
    }

    String properties(List<Integer> ports) {
        String broker = "CLIENTS://127.0.0.1:" + ports.get(0);
        String controller = "127.0.0.1:" + ports.get(1);
        Map<String, String> lines = new TreeMap<>(Map.ofEntries(
                Map.entry("process.roles", "broker,controller"),
                Map.entry("node.id", "1"),
                Map.entry("controller.quorum.voters", "1@" + controller),
                Map.entry("controller.listener.names", "CONTROLLER"),
                Map.entry("listeners", broker + ",CONTROLLER://" + controller),
                Map.entry("advertised.listeners", broker),
                Map.entry("listener.security.protocol.map", "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT"),
                Map.entry("inter.broker.listener.name", "CLIENTS"),
                Map.entry("log.dirs", data().toString()),
                Map.entry("auto.create.topics.enable", "false"),
                Map.entry("offsets.topic.replication.factor", "1"),
                Map.entry("offsets.topic.num.partitions", "4"),
                Map.entry("transaction.state.log.replication.factor", "1"),
                Map.entry("transaction.state.log.min.isr", "1"),
                Map.entry("transaction.state.log.num.partitions", "4"),
                Map.entry("share.coordinator.state.topic.replication.factor", "1"),
                Map.entry("share.coordinator.state.topic.min.isr", "1"),
                Map.entry("share.coordinator.state.topic.num.partitions", "4"),
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                Map.entry("group.coordinator.rebalance.protocols", "classic,consumer"),
                // a restarted broker waits until its previous session ends: after 9 s by default
                Map.entry("broker.session.timeout.ms", "3000"),
                Map.entry("broker.heartbeat.interval.ms", "500"),
                Map.entry("message.max.bytes", TWO_MIB),
                Map.entry("replica.fetch.max.bytes", TWO_MIB)));
        lines.putAll(settings.settings());
        return lines.entrySet().stream()
                .map(line -> line.getKey() + "=" + line.getValue().replace("\\", "\\\\") + "\n")
                .collect(Collectors.joining());
    }

    private Path data() {
        return settings.folder().resolve("data");
    }

    private Path metaProperties() {
        return data().resolve("meta.properties");
    }

    private String clusterId() throws IOException {
        Properties meta = new Properties();
        try (Reader in = Files.newBufferedReader(metaProperties())) {
            meta.load(in);
        }
        return meta.getProperty("cluster.id", "");
    }
}
