package org.treerename.producer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.treerename.path.Namespace;
import org.treerename.path.Notation;
import org.treerename.wire.KafkaClientSettings;
import org.treerename.wire.Ordering;
import org.treerename.wire.RequestKey;

/**
 * What a {@link RenameProducer} is told.
 *
 * @param bootstrapServers Kafka's addresses, {@code host:port}, separated by commas
 * @param apiTimeout how long one call to Kafka may take, 1 s at least
 * @param deliveryTimeout how long it is tried to get a request acknowledged, {@code apiTimeout} at least
 * @param partitionCheck how often it is looked for new partitions of the outcomes
 * @param orderingDepth requests whose sources have as many first segments in common are in order, 0 to 10; 0: all of a
 *     namespace; in a namespace whose definition is given that one's counts
 * @param namespaces definitions of namespaces in which it asks for renames; of others it is taken that their paths are
 *     written with slashes
 * @param clientProperties further properties of Kafka's clients, {@code security.protocol} say; not those of which the
 *     library itself decides; the text of these settings tells none of their values, because some are secrets
 */
public record ProducerSettings(
        String bootstrapServers,
        Duration apiTimeout,
        Duration deliveryTimeout,
        Duration partitionCheck,
        int orderingDepth,
        List<Namespace> namespaces,
        Map<String, String> clientProperties) {

    public static final Duration DEFAULT_API_TIMEOUT = Duration.ofSeconds(15);
    public static final Duration DEFAULT_DELIVERY_TIMEOUT = Duration.ofSeconds(30);
    public static final Duration DEFAULT_PARTITION_CHECK = Duration.ofSeconds(30);

    private static final Duration LEAST_API_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int DEEPEST = 10;
    private static final Pattern SERVERS = Pattern.compile("[^\\s,]+:\\d{1,5}(\\s*,\\s*[^\\s,]+:\\d{1,5})*");

    public ProducerSettings {
        if (!SERVERS.matcher(bootstrapServers).matches()) {
            throw new IllegalArgumentException(
                    "Kafka's bootstrap servers are host:port[,host:port]..., found \"" + bootstrapServers + "\"");
        }
        requireBetween("apiTimeout", LEAST_API_TIMEOUT, apiTimeout);
        requireBetween("deliveryTimeout", apiTimeout, deliveryTimeout);
        requireBetween("partitionCheck", Duration.ofMillis(1), partitionCheck);
        if (orderingDepth < 0 || orderingDepth > DEEPEST) {
            throw new IllegalArgumentException("orderingDepth must be 0 to " + DEEPEST + ", found " + orderingDepth);
        }
        KafkaClientSettings.requireUndecided(clientProperties);
        namespaces = List.copyOf(namespaces);
        clientProperties = Map.copyOf(clientProperties);
    }

    /** The defaults. */
    public static ProducerSettings of(String bootstrapServers) {
        return new ProducerSettings(
                bootstrapServers,
                DEFAULT_API_TIMEOUT,
                DEFAULT_DELIVERY_TIMEOUT,
                DEFAULT_PARTITION_CHECK,
                RequestKey.DEFAULT_DEPTH,
                List.of(),
                Map.of());
    }

    public ProducerSettings withTimeouts(Duration api, Duration delivery) {
        return new ProducerSettings(
                bootstrapServers, api, delivery, partitionCheck, orderingDepth, namespaces, clientProperties);
    }

    public ProducerSettings withPartitionCheck(Duration interval) {
        return new ProducerSettings(
                bootstrapServers, apiTimeout, deliveryTimeout, interval, orderingDepth, namespaces, clientProperties);
    }

    /** Everybody who sends renames of one namespace takes the same. */
    public ProducerSettings withOrderingDepth(int segments) {
        return new ProducerSettings(
                bootstrapServers, apiTimeout, deliveryTimeout, partitionCheck, segments, namespaces, clientProperties);
    }

    /** The definitions that the workers have, too. */
    public ProducerSettings withNamespaces(List<Namespace> definitions) {
        return new ProducerSettings(
                bootstrapServers,
                apiTimeout,
                deliveryTimeout,
                partitionCheck,
                orderingDepth,
                definitions,
                clientProperties);
    }

    /** In which order requests of a namespace are carried out. */
    Ordering ordering(String namespace) {
        return namespaces.stream()
                .filter(defined -> defined.name().equals(namespace))
                .findFirst()
                .map(defined -> new Ordering(defined.notation(), defined.rules().orderingDepth()))
                .orElseGet(() -> new Ordering(Notation.SLASHES, orderingDepth));
    }

    public ProducerSettings withClientProperties(Map<String, String> properties) {
        return new ProducerSettings(
                bootstrapServers, apiTimeout, deliveryTimeout, partitionCheck, orderingDepth, namespaces, properties);
    }

    @Override
    public String toString() {
        return "ProducerSettings[Kafka at " + new KafkaClientSettings(bootstrapServers, clientProperties)
                + ", apiTimeout=" + apiTimeout + ", deliveryTimeout=" + deliveryTimeout + ", partitionCheck="
                + partitionCheck + ", orderingDepth=" + orderingDepth + ", namespaces=" + namespaces + "]";
    }

    private static void requireBetween(String name, Duration least, Duration found) {
        if (found.compareTo(least) < 0 || found.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " must be " + least + " to " + LONGEST + ", found " + found);
        }
    }
}
