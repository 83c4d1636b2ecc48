package org.treerename.producer.cli;

import java.time.Duration;
import java.util.List;
import org.treerename.cli.DurationConverter;
import org.treerename.elastic.Elastic;
import org.treerename.producer.cli.gateway.ServerOptions;
import org.treerename.producer.direct.DirectSettings;
import picocli.CommandLine.Option;

/** The options for a rename that the command runs itself, without Kafka. */
final class DirectOptions {

    /** The options that apply only to a request that the command sends to Kafka or to a gateway. */
    private static final List<String> ONLY_SENT = List.of("--no-wait", "--until", "--after", "--timeout");

    @Option(
            names = "--direct",
            description =
                    "Run the rename in this process, without Kafka. The command needs only Elasticsearch. It waits"
                            + " until the rename has ended. If this process dies, a janitor completes a"
                            + " decided rename. If the rename is not decided, the janitor ends the rename as failed.")
    private boolean direct;

    @Option(
            names = "--lock-wait",
            defaultValue = "2m",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "With --direct: how long the rename waits for the locks of other requests (default:"
                    + " ${DEFAULT-VALUE}). After this time the rename fails.")
    private Duration lockWait = Duration.ZERO;

    @Option(
            names = "--lease",
            defaultValue = "30s",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "With --direct: how long this process may be silent before other processes treat it as dead"
                    + " (default: ${DEFAULT-VALUE}). Use the same lease as the workers and janitors.")
    private Duration lease = Duration.ZERO;

    /**
     * Returns whether the command runs the rename itself.
     *
     * @param server the options for the connection to a gateway
     * @throws IllegalArgumentException if {@code --direct} is set together with a gateway, or together with an option
     *     that applies only to a sent request
     */
    boolean isWanted(ServerOptions server) {
        if (direct) {
            server.requireNone("rename mv --direct", "--elasticsearch-url");
            ONLY_SENT.stream().filter(server::isGiven).findFirst().ifPresent(option -> {
                throw new IllegalArgumentException("--direct sends no request and waits until the rename has ended; use"
                        + " --direct without " + option);
            });
        }
        return direct;
    }

    DirectSettings settings(Elastic.Settings elasticsearch) {
        return DirectSettings.of(elasticsearch).withLease(lease).withLockWait(lockWait);
    }
}
