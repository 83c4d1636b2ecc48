package org.treerename.janitor.admin;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.treerename.host.KafkaOptions;
import org.treerename.runtime.DurationConverter;
import org.treerename.wire.TopicCreation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rename-admin topics}. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        description =
                "Creates those of the topics that are not there, as they are meant to be. What is there is left as it is.",
        footer = {"", "Exit codes: 0 all are there, 2 wrong use, 3 Kafka did not answer."})
final class TopicsCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private KafkaOptions kafka = new KafkaOptions();

    @Option(
            names = "--partitions",
            defaultValue = "8",
            paramLabel = "N",
            description = "Of each topic but that of the dead letters (default: ${DEFAULT-VALUE}).")
    private int partitions;

    @Option(
            names = "--replicas",
            defaultValue = "1",
            paramLabel = "N",
            description = "Of each partition, no more than there are brokers (default: ${DEFAULT-VALUE}).")
    private short replicas;

    @Option(
            names = "--request-timeout",
            defaultValue = "30s",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "How long Kafka may take to answer (default: ${DEFAULT-VALUE}).")
    private Duration requestTimeout = Duration.ZERO;

    @Override
    public Integer call() {
        if (partitions < 1 || replicas < 1) {
            throw new IllegalArgumentException(
                    "a topic has at least one partition and one replica, found " + partitions + " and " + replicas);
        }
        int millis = (int) requestTimeout.toMillis();
        Map<String, Object> patience = Map.of(
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                millis,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                millis);
        try (Admin admin = kafka.settings().client(patience, Admin::create)) {
            TopicCreation.create(admin, partitions, replicas);
        }
        spec.commandLine().getOut().println("the topics are there");
        return ExitCodes.WELL;
    }
}
