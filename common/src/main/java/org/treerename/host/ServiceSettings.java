package org.treerename.host;

import java.time.Duration;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.process.Lease;

/**
 * What one may set of every service.
 *
 * @param requestTimeout of one request to Elasticsearch
 * @param limits of what is read and written at once
 * @param maxPasses after how many passes one without a refused write is enough
 * @param shutdownGrace how long a stopping process may go on with what it has begun
 */
public record ServiceSettings(
        String kafkaBootstrapServers,
        String elasticsearchUrl,
        Duration requestTimeout,
        Lease lease,
        ElasticTreeStore.Limits limits,
        int maxPasses,
        Duration shutdownGrace) {}
