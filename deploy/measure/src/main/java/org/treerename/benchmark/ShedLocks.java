package org.treerename.benchmark;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.apache.http.HttpHost;
import org.elasticsearch.client.RestClient;
import org.treerename.runtime.Time;

/**
 * Acquires locks of ShedLock in Elasticsearch. ShedLock has no lock sets, so this class locks only the source of a
 * rename.
 */
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
        provider = provider(rest);
    }

    private static LockProvider provider(RestClient rest) {
        try {
            OldClient old = new OldClient(Objects.requireNonNull(ShedLocks.class.getResource("/shedlock/")));
            Object mapper = old.loadClass("co.elastic.clients.json.jackson.JacksonJsonpMapper")
                    .getConstructor()
                    .newInstance();
            Object transport = old.loadClass("co.elastic.clients.transport.rest_client.RestClientTransport")
                    .getConstructor(RestClient.class, old.loadClass("co.elastic.clients.json.JsonpMapper"))
                    .newInstance(rest, mapper);
            Class<?> client = old.loadClass("co.elastic.clients.elasticsearch.ElasticsearchClient");
            Object connected = client.getConstructor(
                            old.loadClass("co.elastic.clients.transport.ElasticsearchTransport"))
                    .newInstance(transport);
            return (LockProvider)
                    old.loadClass("net.javacrumbs.shedlock.provider.elasticsearch8.ElasticsearchLockProvider")
                            .getConstructor(client)
                            .newInstance(connected);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot create ShedLock's lock provider for Elasticsearch", e);
        }
    }

    /**
     * Loads version 8 of Elasticsearch's client, because ShedLock's lock provider was built with this version. The
     * class path contains version 9, which has different methods.
     */
    private static final class OldClient extends URLClassLoader {

        OldClient(URL folder) {
            super(new URL[] {folder}, ShedLocks.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("co.elastic.clients.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }

    @Override
    public String name() {
        return "ShedLock, one lock only";
    }

    @Override
    public void acquireAndRelease(TreeLocks locks, Runnable whileHeld) {
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
