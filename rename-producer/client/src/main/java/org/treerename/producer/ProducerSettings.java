package org.treerename.producer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.treerename.installation.Installation;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.kafka.RequestKey;
import org.treerename.namespace.Namespace;
import org.treerename.path.Notation;
import org.treerename.runtime.Durations;

/**
 * The settings of a {@link RenameProducer}.
 *
 * @param bootstrapServers the addresses of Kafka brokers, {@code host:port}, separated by commas
 * @param apiTimeout the longest time that one call to Kafka may take, at least 1 s
 * @param deliveryTimeout the time after which a request fails if Kafka has not acknowledged it; at least {@code
 *     apiTimeout}
 * @param partitionCheck the interval between two checks for new partitions of the topics that the producer reads
 * @param orderingDepth the number of compared segments at the beginning of a source, 0 to 10. Requests of a namespace
 *     keep their order if these segments are equal. With 0, all requests of a namespace keep their order. For a
 *     namespace in {@code namespaces}, the depth in its definition is used instead
 * @param namespaces the definitions of namespaces in which the producer requests renames. In a namespace without a
 *     definition here, paths must have slashes as separators
 * @param clientProperties additional properties of the Kafka clients, for example {@code security.protocol}. Properties
 *     that the library itself sets are not allowed. {@link #toString} omits the values of the properties, because some
 *     values are secrets
 * @param installation the installation whose topics the producer uses
 */
public record ProducerSettings(
        String bootstrapServers,
        Duration apiTimeout,
        Duration deliveryTimeout,
        Duration partitionCheck,
        int orderingDepth,
        List<Namespace> namespaces,
        Map<String, String> clientProperties,
        Installation installation) {

    public static final Duration DEFAULT_API_TIMEOUT = Duration.ofSeconds(15);
    public static final Duration DEFAULT_DELIVERY_TIMEOUT = Duration.ofSeconds(30);
    public static final Duration DEFAULT_PARTITION_CHECK = Duration.ofSeconds(30);

    private static final Duration MIN_API_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration MAX_DURATION = Duration.ofDays(1);
    private static final int MAX_DEPTH = 10;
    private static final Pattern SERVERS = Pattern.compile("[^\\s,]+:\\d{1,5}(\\s*,\\s*[^\\s,]+:\\d{1,5})*");

    public ProducerSettings {
        if (!SERVERS.matcher(bootstrapServers).matches()) {
            throw new IllegalArgumentException(
                    "bootstrap servers must be host:port[,host:port]..., found \"" + bootstrapServers + "\"");
        }
        Durations.requireBetween("apiTimeout", MIN_API_TIMEOUT, MAX_DURATION, apiTimeout);
        Durations.requireBetween("deliveryTimeout", apiTimeout, MAX_DURATION, deliveryTimeout);
        Durations.requireBetween("partitionCheck", Duration.ofMillis(1), MAX_DURATION, partitionCheck);
        if (orderingDepth < 0 || orderingDepth > MAX_DEPTH) {
            throw new IllegalArgumentException("orderingDepth must be 0 to " + MAX_DEPTH + ", found " + orderingDepth);
        }
        KafkaClientSettings.requireUndecided(clientProperties);
        namespaces = List.copyOf(namespaces);
        clientProperties = Map.copyOf(clientProperties);
    }

    /** Returns the default settings with these Kafka servers. */
    public static ProducerSettings of(String bootstrapServers) {
        return new ProducerSettings(
                bootstrapServers,
                DEFAULT_API_TIMEOUT,
                DEFAULT_DELIVERY_TIMEOUT,
                DEFAULT_PARTITION_CHECK,
                RequestKey.DEFAULT_DEPTH,
                List.of(),
                Map.of(),
                Installation.DEFAULT);
    }

    public ProducerSettings withTimeouts(Duration api, Duration delivery) {
        return new ProducerSettings(
                bootstrapServers,
                api,
                delivery,
                partitionCheck,
                orderingDepth,
                namespaces,
                clientProperties,
                installation);
    }

    public ProducerSettings withPartitionCheck(Duration interval) {
        return new ProducerSettings(
                bootstrapServers,
                apiTimeout,
                deliveryTimeout,
                interval,
                orderingDepth,
                namespaces,
                clientProperties,
                installation);
    }

    /**
     * Returns a copy of these settings with this ordering depth. All senders of renames in one namespace must use the
     * same depth.
     */
    public ProducerSettings withOrderingDepth(int segments) {
        return new ProducerSettings(
                bootstrapServers,
                apiTimeout,
                deliveryTimeout,
                partitionCheck,
                segments,
                namespaces,
                clientProperties,
                installation);
    }

    /**
     * Returns a copy of these settings with these definitions of namespaces. The workers must have the same
     * definitions.
     */
    public ProducerSettings withNamespaces(List<Namespace> definitions) {
        return new ProducerSettings(
                bootstrapServers,
                apiTimeout,
                deliveryTimeout,
                partitionCheck,
                orderingDepth,
                definitions,
                clientProperties,
                installation);
    }

    /** Returns the settings that define the order of the requests of a namespace. */
    Ordering ordering(String namespace) {
        return namespaces.stream()
                .filter(defined -> defined.name().equals(namespace))
                .findFirst()
                .map(defined -> new Ordering(defined.notation(), defined.rules().orderingDepth()))
                .orElseGet(() -> new Ordering(Notation.SLASHES, orderingDepth));
    }

    public ProducerSettings withClientProperties(Map<String, String> properties) {
        return new ProducerSettings(
                bootstrapServers,
                apiTimeout,
                deliveryTimeout,
                partitionCheck,
                orderingDepth,
                namespaces,
                properties,
                installation);
    }

    /**
     * Returns a copy of these settings with the prefix of an installation. The workers and janitors must have the same
     * prefix.
     *
     * @throws IllegalArgumentException if the prefix is not valid
     */
    public ProducerSettings withPrefix(String prefix) {
        return new ProducerSettings(
                bootstrapServers,
                apiTimeout,
                deliveryTimeout,
                partitionCheck,
                orderingDepth,
                namespaces,
                clientProperties,
                new Installation(prefix));
    }

    @Override
    public String toString() {
        return "ProducerSettings[Kafka at " + new KafkaClientSettings(bootstrapServers, clientProperties, installation)
                + ", apiTimeout=" + apiTimeout + ", deliveryTimeout=" + deliveryTimeout + ", partitionCheck="
                + partitionCheck + ", orderingDepth=" + orderingDepth + ", namespaces=" + namespaces + ", prefix="
                + installation.prefix() + "]";
    }
}
