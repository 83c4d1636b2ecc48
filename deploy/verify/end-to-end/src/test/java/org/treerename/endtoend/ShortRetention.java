package org.treerename.endtoend;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.treerename.installation.Installation;
import org.treerename.testservers.TestServers;

/**
 * Sets a short retention of the request topic until {@link #close}. The broker deletes expired records with a delay.
 */
final class ShortRetention implements AutoCloseable {

    private static final ConfigResource TOPIC =
            new ConfigResource(ConfigResource.Type.TOPIC, Installation.DEFAULT.requests());

    private final Duration length;

    private ShortRetention(Duration length) {
        this.length = length;
    }

    static ShortRetention of(Duration length) {
        alter(new AlterConfigOp(
                new ConfigEntry(TopicConfig.RETENTION_MS_CONFIG, String.valueOf(length.toMillis())), OpType.SET));
        return new ShortRetention(length);
    }

    Duration length() {
        return length;
    }

    private static void alter(AlterConfigOp operation) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestServers.kafkaBootstrapServers()))) {
            admin.incrementalAlterConfigs(Map.of(TOPIC, List.of(operation)))
                    .all()
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        alter(new AlterConfigOp(new ConfigEntry(TopicConfig.RETENTION_MS_CONFIG, ""), OpType.DELETE));
    }
}
