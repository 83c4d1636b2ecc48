package org.treerename.service;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.process.Lease;
import org.treerename.process.ProcessId;
import org.treerename.tree.PacedTreeStore;

/**
 * The settings that every service has.
 *
 * @param processName the beginning of the process ids; null if the process ids begin with the name of the service
 * @param documentsPerSecond the largest number of documents that all renames of one process together move per second; 0
 *     for no limit
 * @param limits the limits of one read and one write
 * @param maxPasses the number of passes after which a move may end although other programs keep creating documents at
 *     the source
 * @param namespaces the file with definitions of namespaces; null if there is no file
 * @param shutdownGrace the time that a process may take to stop
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
     * Returns a new process id that was never used before.
     *
     * @param service the beginning of the id if no process name is set
     */
    public ProcessId newProcess(String service) {
        return ProcessId.create(processName == null ? service : processName);
    }

    /** Returns the timeout of one request to Elasticsearch. */
    public Duration requestTimeout() {
        return elasticsearch.timeout();
    }
}
