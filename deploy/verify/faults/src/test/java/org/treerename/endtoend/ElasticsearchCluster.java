package org.treerename.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes of Elasticsearch on 127.0.0.1. One node at a time may be killed, frozen, or cut off from the others. The
 * traffic between the nodes goes through proxies in this JVM. HTTP requests do not use the proxies, so a node that is
 * cut off is still reachable over HTTP. Only one thread uses this class.
 */
final class ElasticsearchCluster implements AutoCloseable {

    /**
     * Settings with which the nodes detect a silent node after some seconds. The detection takes longer than a lease.
     */
    private static final Map<String, String> FAST_DETECTION = Map.of(
            "cluster.fault_detection.follower_check.timeout", "3s",
            "cluster.fault_detection.follower_check.retry_count", "2",
            "cluster.fault_detection.leader_check.timeout", "3s",
            "cluster.fault_detection.leader_check.retry_count", "2",
            "cluster.publish.timeout", "8s");

    private static final List<String> NAMES = List.of("node-1", "node-2", "node-3");
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final List<ClusterNode> nodes;
    private final Cut cut;
    private volatile @Nullable ClusterNode faulty;

    private ElasticsearchCluster(List<ClusterNode> nodes, Cut cut) {
        this.nodes = nodes;
        this.cut = cut;
    }

    /** Starts the three nodes at the same time. */
    static ElasticsearchCluster start(Path folder) throws IOException {
        Cut cut = new Cut();
        List<TransportProxy> proxies = new ArrayList<>();
        for (String name : NAMES) {
            Path home = folder.resolve(name);
            proxies.add(TransportProxy.start(name, () -> ClusterNode.transportPort(home), cut));
        }
        String addresses =
                proxies.stream().map(proxy -> "127.0.0.1:" + proxy.port()).collect(Collectors.joining(","));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<ClusterNode>> starting = proxies.stream()
                    .map(proxy -> CompletableFuture.supplyAsync(
                            () -> ClusterNode.start(folder.resolve(proxy.node()), proxy, settings(proxy, addresses)),
                            threads))
                    .toList();
            return new ElasticsearchCluster(
                    starting.stream().map(CompletableFuture::join).toList(), cut);
        }
    }

    private static Map<String, String> settings(TransportProxy proxy, String addresses) {
        Map<String, String> settings = new HashMap<>(FAST_DETECTION);
        settings.putAll(Map.of(
                "discovery.type", "multi-node",
                "discovery.seed_hosts", addresses,
                "cluster.initial_master_nodes", String.join(",", NAMES),
                "node.name", proxy.node(),
                "transport.publish_port", String.valueOf(proxy.port())));
        return settings;
    }

    /**
     * Returns a client for tests. The client gives services the URLs of all nodes. The requests of the client itself go
     * to a node without a fault.
     */
    Elasticsearch http() {
        return new Elasticsearch(
                () -> nodeWithoutFault().url(),
                () -> nodes.stream().map(ClusterNode::url).collect(Collectors.joining(",")));
    }

    private ClusterNode nodeWithoutFault() {
        return nodes.stream().filter(node -> node != faulty).findFirst().orElseThrow();
    }

    /**
     * Returns the node that has the primary of an index with one shard. The answer comes from a node without a fault.
     */
    ClusterNode primaryOf(String index) {
        for (JsonNode shard : http().get("/_cat/shards/" + index + "?format=json&h=prirep,node,state")) {
            if (shard.path("prirep").asText().equals("p")
                    && shard.path("state").asText().equals("STARTED")) {
                return named(shard.path("node").asText());
            }
        }
        throw new IllegalStateException("no node has a started primary of " + index);
    }

    String master() {
        return http().get("/_cat/master?format=json").path(0).path("node").asText();
    }

    List<ClusterNode> nodes() {
        return nodes;
    }

    private ClusterNode named(String name) {
        return nodes.stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no node " + name));
    }

    /**
     * Marks the node as faulty until {@link #awaitWhole} returns. {@link #http} sends no requests to the faulty node.
     */
    void expectFaultOf(ClusterNode node) {
        faulty = node;
    }

    void cutOff(ClusterNode node) {
        cut.off(node.name(), node.pid());
    }

    /** Cuts the node off from all others except {@code spared}. */
    void cutOffFromAllBut(ClusterNode node, ClusterNode spared) {
        cut.off(node.name(), node.pid(), spared.name());
    }

    void heal() {
        cut.heal();
    }

    /** Blocks until two nodes have detected that the third node is missing. */
    void awaitTwo() {
        await("two nodes are left", 2, "yellow");
    }

    /** Blocks until all nodes and all copies of all shards are available. */
    void awaitWhole() {
        await("the cluster is whole", NAMES.size(), "green");
        faulty = null;
    }

    /**
     * Blocks until the health of the cluster is as expected. Reads the local view of a node, because the master may be
     * the node that is cut off.
     */
    private void await(String what, int count, String status) {
        Awaitility.await(what)
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(UncheckedIOException.class)
                .until(() -> {
                    JsonNode health = http().get(
                                    "/_cluster/health?local=true&timeout=5s&wait_for_no_relocating_shards=true&wait_for_nodes="
                                            + count + "&wait_for_status=" + status);
                    return !health.path("timed_out").asBoolean(true);
                });
    }

    @Override
    public void close() {
        cut.heal();
        for (ClusterNode node : nodes) {
            try {
                node.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
