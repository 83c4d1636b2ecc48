package org.treerename.host;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.process.Lease;
import org.treerename.process.ProcessId;
import org.treerename.rename.PacedTreeStore;
import org.treerename.wire.KafkaClientSettings;

/**
 * What one may set of every service.
 *
 * @param processName with which the process ids begin, instead of the service's; null if there is none
 * @param documentsPerSecond moved by all renames together; 0 for no limit
 * @param limits of what is read and written at once
 * @param maxPasses after how many passes one without a refused write is enough
 * @param namespaces a file with definitions of namespaces; null if there is none
 * @param shutdownGrace how long a stopping process may take
 */
public record ServiceSettings(
        @Nullable String processName,
        KafkaClientSettings kafka,
        Elastic.Settings elasticsearch,
        int documentsPerSecond,
        Lease lease,
        ElasticTreeStore.Limits limits,
        int maxPasses,
        @Nullable Path namespaces,
        Duration shutdownGrace) {

    public ServiceSettings {
        if (processName != null) {
            ProcessId.requireName(processName);
        }
        PacedTreeStore.requireLimit(documentsPerSecond);
    }

    /**
     * A new process id, never used before.
     *
     * @param service with whose name it begins where the process has none of its own
     */
    public ProcessId newProcess(String service) {
        return ProcessId.create(processName == null ? service : processName);
    }

    /** Of one request to Elasticsearch. */
    public Duration requestTimeout() {
        return elasticsearch.timeout();
    }
}
