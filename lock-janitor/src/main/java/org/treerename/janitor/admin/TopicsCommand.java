package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.treerename.cli.Output;
import org.treerename.installation.Installation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code rename-admin topics}: creates the missing topics. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        description = "Creates the missing topics with the required settings. Existing topics are not changed.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all topics exist",
            "2:wrong use",
            "3:no answer from Kafka, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class TopicsCommand implements Callable<Integer> {

    private final Function<KafkaReach, Admin> admins;

    @Mixin
    private KafkaReach kafka = new KafkaReach();

    @Mixin
    private Output output = new Output();

    @Option(
            names = "--partitions",
            defaultValue = "8",
            paramLabel = "N",
            description = "The number of partitions of each topic (default: ${DEFAULT-VALUE}). The topic of the dead"
                    + " letters always has one partition.")
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
        Installation installation = kafka.installation();
        Set<String> created;
        try (Admin admin = admins.apply(kafka)) {
            created = TopicCreation.create(admin, installation, partitions, replicas);
        }
        List<String> topics = List.of(
                installation.requests(), installation.outcomes(), installation.progress(), installation.deadLetters());
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        topics.forEach(json.putArray("topics")::add);
        topics.stream().filter(created::contains).forEach(json.putArray("created")::add);
        output.object(
                json,
                () -> topics.stream()
                        .map(topic -> (created.contains(topic) ? "created " : "exists already: ") + topic)
                        .toList());
        return ExitCodes.WELL;
    }
}
