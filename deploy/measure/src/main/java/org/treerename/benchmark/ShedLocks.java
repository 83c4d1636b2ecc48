package org.treerename.benchmark;

import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.json.jackson.JacksonJsonpMapper;
import co.elastic.clients.transport.rest_client.RestClientTransport;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.elasticsearch8.ElasticsearchLockProvider;
import org.apache.http.HttpHost;
import org.elasticsearch.client.RestClient;
import org.treerename.runtime.Time;

/** ShedLock's locks in Elasticsearch. ShedLock has no lock sets, so this class acquires only the lock of the source. */
final class ShedLocks implements Locking, AutoCloseable {

    private static final Duration AT_MOST = Duration.ofMinutes(1);
    private static final int CONNECTIONS = 64;

    private final RestClient rest;
    private final LockProvider provider;
    private final Time time;

    ShedLocks(Stage stage, Time time) {
        this.time = time;
        rest = RestClient.builder(HttpHost.create(stage.elasticsearchUrl()))
                .setHttpClientConfigCallback(
                        http -> http.setMaxConnPerRoute(CONNECTIONS).setMaxConnTotal(CONNECTIONS))
                .build();
        provider = new ElasticsearchLockProvider(
                new ElasticsearchClient(new RestClientTransport(rest, new JacksonJsonpMapper())));
    }

    @Override
    public String name() {
        return "ShedLock, one lock only";
    }

    @Override
    public void takeAndGiveBack(TreeLocks locks, Runnable whileHeld) {
        LockConfiguration configuration = new LockConfiguration(time.now(), locks.source(), AT_MOST, Duration.ZERO);
        Optional<SimpleLock> lock = provider.lock(configuration);
        while (lock.isEmpty()) {
            lock = provider.lock(configuration);
        }
        try {
            whileHeld.run();
        } finally {
            lock.get().unlock();
        }
    }

    @Override
    public void close() throws IOException {
        rest.close();
    }
}
