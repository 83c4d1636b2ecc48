package org.treerename.janitor.admin;

import java.util.concurrent.Callable;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
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
        description = "Creates the missing topics with the required settings. Existing topics are not changed.",
        footer = {
            "",
            "Exit codes: 0 all topics exist; 1 Kafka refuses to create a topic; 2 wrong use; 3 Kafka did not answer."
        })
final class TopicsCommand implements Callable<Integer> {

    private final Function<KafkaReach, Admin> admins;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private KafkaReach kafka = new KafkaReach();

    @Option(
            names = "--partitions",
            defaultValue = "8",
            paramLabel = "N",
            description = "The number of partitions of each topic, except the topic of the dead letters (default:"
                    + " ${DEFAULT-VALUE}).")
    private int partitions;

    @Option(
            names = "--replicas",
            defaultValue = "1",
            paramLabel = "N",
            description = "The number of replicas of each partition, at most the number of brokers (default:"
                    + " ${DEFAULT-VALUE}).")
    private short replicas;

    /** @param admins the function that connects to Kafka */
    TopicsCommand(Function<KafkaReach, Admin> admins) {
        this.admins = admins;
    }

    @Override
    public Integer call() {
        if (partitions < 1 || replicas < 1) {
            throw new IllegalArgumentException(
                    "--partitions and --replicas must be at least 1, were " + partitions + " and " + replicas);
        }
        try (Admin admin = admins.apply(kafka)) {
            TopicCreation.create(admin, kafka.installation(), partitions, replicas);
        }
        spec.commandLine().getOut().println("all topics exist");
        return ExitCodes.WELL;
    }
}
