package org.treerename.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.treerename.stack.ElasticsearchServer;
import org.treerename.stack.ElasticsearchSettings;

/**
 * One node of a cluster. A test can kill, restart or freeze the node. The other nodes reach this node through a proxy.
 */
final class ClusterNode implements AutoCloseable {

    private final TransportProxy proxy;
    private final ElasticsearchServer server;

    private ClusterNode(TransportProxy proxy, ElasticsearchServer server) {
        this.proxy = proxy;
        this.server = server;
    }

    /**
     * Returns the port at which the node with this folder listens for other nodes. Returns 0 until the server has
     * written the port to a log file.
     */
    static int transportPort(Path folder) {
        try {
            String address = Files.readString(folder.resolve("logs/transport.ports"))
                    .lines()
                    .findFirst()
                    .orElse(":0");
            return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        } catch (IOException e) {
            return 0; // the server has not written the port yet
        }
    }

    /** Starts a node. Returns when the node answers as a member of a cluster that has a master. */
    static ClusterNode start(Path folder, TransportProxy proxy, Map<String, String> settings) {
        return new ClusterNode(
                proxy,
                ElasticsearchServer.start(ElasticsearchSettings.in(folder)
                        .withClusterName("cluster")
                        .withHeap("512m")
                        .shortLived()
                        .withSettings(settings)));
    }

    String name() {
        return proxy.node();
    }

    String url() {
        return server.url();
    }

    /** Returns a client that sends its requests only to this node. */
    Elasticsearch http() {
        return Elasticsearch.at(url());
    }

    long pid() {
        return server.pid();
    }

    /** Kills the node with {@code kill -9}. */
    void kill() {
        server.kill();
    }

    /** Starts the node again with the same data and ports. Returns when the node answers. */
    void restart() {
        server.restart();
    }

    /** Sends SIGSTOP now, and SIGCONT after {@code length}, even if this JVM ends earlier. */
    Process freeze(Duration length) {
        String script = "kill -STOP %1$d; sleep %2$d; kill -CONT %1$d".formatted(pid(), length.toSeconds());
        try {
            return new ProcessBuilder("sh", "-c", script).inheritIO().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.kill();
        proxy.close();
    }
}
