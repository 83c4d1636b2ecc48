package org.treerename.elastic;

import co.elastic.clients.elasticsearch.ElasticsearchClient;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hc.core5.http.HttpHost;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.RawJson;

/**
 * The client of one Elasticsearch cluster. {@link #ask} calls the typed client, the Java client of Elastic. {@link
 * #raw} returns the sender of the requests for which the typed client is not suitable. All requests share connections,
 * timeouts, circuit breaker and observer. A request fails if it receives no answer, or if Elasticsearch refuses it
 * permanently. A TLS failure and the statuses 401, 408, 429 and 5xx are treated as no answer.
 *
 * <p>If a node does not answer, or answers 502, 503 or 504, the low-level client sends the request to another node. So
 * every request may run twice.
 */
public final class Elastic implements AutoCloseable {

    /**
     * The addresses of the cluster, the credentials, and the limits of requests.
     *
     * @param urls the URLs of the nodes
     * @param timeout the longest time from the sending of a request until all headers of the answer have arrived
     * @param connections the maximum number of concurrent requests to each tree and to the control index; others wait
     * @param authorization the credentials; null if Elasticsearch requires no credentials
     * @param tls the certificates; null if the URLs are http, or if the Java virtual machine already trusts the
     *     certificate authority of Elasticsearch
     * @param installation the installation whose control index the programs use
     */
    public record Settings(
            List<URI> urls,
            Duration timeout,
            int connections,
            @Nullable Authorization authorization,
            @Nullable Tls tls,
            Installation installation) {
        public Settings {
            urls = List.copyOf(urls);
            ElasticUrls.requireUsable(urls, tls);
            if (connections < 1 || connections > 1_000) {
                throw new IllegalArgumentException(
                        "the number of concurrent requests to Elasticsearch must be 1 to 1000, was " + connections);
            }
        }

        /** The default maximum number of concurrent requests. */
        public static final int CONNECTIONS = 32;

        /** Returns a copy with another maximum number of concurrent requests. */
        public Settings withConnections(int number) {
            return new Settings(urls, timeout, number, authorization, tls, installation);
        }

        /** Returns a copy with another timeout. */
        public Settings withTimeout(Duration other) {
            return new Settings(urls, other, connections, authorization, tls, installation);
        }

        /** Returns a copy with other credentials. */
        public Settings as(@Nullable Authorization other) {
            return new Settings(urls, timeout, connections, other, tls, installation);
        }

        /** Returns a copy with other certificates. */
        public Settings over(@Nullable Tls other) {
            return new Settings(urls, timeout, connections, authorization, other, installation);
        }

        /** Returns a copy with another installation. */
        public Settings in(Installation other) {
            return new Settings(urls, timeout, connections, authorization, tls, other);
        }

        /** Parses URLs that are separated by commas. The returned settings contain {@link Installation#DEFAULT}. */
        public static Settings of(String urls, Duration timeout) {
            List<URI> parsed = List.of(urls.split(",")).stream()
                    .map(url -> ElasticUrls.parsed(url.strip()))
                    .toList();
            return new Settings(parsed, timeout, CONNECTIONS, null, null, Installation.DEFAULT);
        }
    }

    /** The status that an observer receives for a request without an answer. */
    public static final int NO_ANSWER = 0;

    /** An observer of the requests, and of the threads that wait for answers. */
    public interface Observer {

        /**
         * Notifies the observer that this thread needs an answer and may now block. Another thread may send the
         * request, because several threads can share one request.
         */
        default void asking() {}

        /**
         * Notifies the observer that this thread will send a request now.
         *
         * @param request the method and the path, as in {@code POST /_mget}
         * @return the observer of the end of this request
         */
        Sent sending(String request);
    }

    /** The observer of a request that was sent. */
    public interface Sent {

        /**
         * Notifies the observer that the request has ended.
         *
         * @param status the HTTP status, or {@link #NO_ANSWER}
         */
        void ended(int status);
    }

    /**
     * The answer to a request, with the status 2xx, 404 or 409.
     *
     * @param node the node that sent the answer
     */
    public record Answer(int status, RawJson content, HttpHost node) {

        public JsonNode json() {
            return Json.read(body());
        }

        public byte[] body() {
            return content.bytes();
        }

        public boolean isOk() {
            return status < 300;
        }
    }

    /** A function that sends one request through the typed client. {@link #ask} runs the function. */
    @FunctionalInterface
    public interface Call<T> {
        T of(ElasticsearchClient client) throws IOException;
    }

    private final RequestSender sender;
    private final NodeVersions versions;

    private Elastic(RequestSender sender, NodeVersions versions) {
        this.sender = sender;
        this.versions = versions;
    }

    public static Elastic connect(Settings settings) {
        return connect(settings, request -> status -> {});
    }

    /** Creates a client. The client connects when it sends the first request. */
    public static Elastic connect(Settings settings, Observer observer) {
        return new Elastic(RequestSender.of(settings, observer), new NodeVersions());
    }

    /** Returns the installation whose control index this client uses. */
    public Installation installation() {
        return sender.installation();
    }

    /**
     * Returns a client with the same connections. All requests of the returned client use only the node that sent this
     * answer. A node that is cut off from the cluster still answers searches, from an old state. So a search that
     * relies on this answer must use the same node.
     */
    public Elastic at(Answer answer) {
        return via(sender.at(answer.node()));
    }

    /** Returns a client that uses the same connections, but sends requests only to the node with this address. */
    public Elastic at(String address) {
        URI uri = URI.create(address);
        return via(sender.at(new HttpHost(uri.getScheme(), uri.getHost(), uri.getPort())));
    }

    /** Returns the address of the only node that this client uses; an empty text if this client uses any node. */
    String address() {
        HttpHost only = sender.only();
        return only == null ? "" : only.toURI();
    }

    /**
     * Returns a client with the same connections and a circuit breaker. While Elasticsearch is unavailable, the client
     * sends only a {@link #probe}. For all other requests, it throws {@link NoAnswerException} at once.
     */
    public Elastic behindCircuit() {
        return via(sender.behindCircuit());
    }

    /** Returns a client of one tree, whose requests and all other requests do not wait for each other. */
    public Elastic apart() {
        return via(sender.apart());
    }

    /** Returns whether the circuit breaker stops all requests, because Elasticsearch is unavailable. */
    public boolean isGone() {
        Circuit circuit = sender.circuit();
        return circuit != null && circuit.isOpen();
    }

    /** Sends a probe if Elasticsearch is unavailable. A program must call this method periodically. */
    public void probe() {
        sender.probe();
    }

    private Elastic via(RequestSender other) {
        return new Elastic(other, versions);
    }

    /**
     * Reads the versions of the nodes. All clients that this client returns share the result.
     *
     * @return the versions; empty if this process lacks the privilege to read the versions
     */
    public Set<String> readVersions() {
        return versions.read(this);
    }

    /** Returns whether a request for whole documents must contain {@code exclude_vectors: false}. */
    boolean knowsExcludeVectors() {
        return versions.knowExcludeVectors(this);
    }

    /** Notifies the observer that this thread needs an answer and may now block. */
    void asking() {
        sender.observer().asking();
    }

    public RawRequests raw() {
        return new RawRequests(sender);
    }

    /**
     * Calls the typed client and blocks until the answer arrives.
     *
     * @throws NoAnswerException if no complete answer arrives, or the status of the answer is 404 or 409
     * @throws RefusedException if Elasticsearch refuses the request permanently
     */
    public <T> T ask(Call<T> call) {
        return new TypedTransport(sender).ask(call);
    }

    /**
     * Refreshes every shard copy of an index or alias. The returned client uses only the node that executed the
     * refresh, because a node that is cut off from the cluster cannot execute a refresh. Returns empty if the index
     * does not exist.
     *
     * @throws NoAnswerException if the refresh of a copy failed
     */
    public Optional<Elastic> refreshed(String index) {
        TypedTransport transport = new TypedTransport(sender);
        return transport
                .askIndex(client -> client.indices().refresh(r -> r.index(index)))
                .map(answer -> {
                    AnswerStatus.requireAll(answer.shards(), "the refresh of " + index);
                    return via(sender.at(transport.node()));
                });
    }

    /** Returns the id of a new point in time of all shards of an index; empty if the index does not exist. */
    public Optional<String> openPointInTime(String index, String keepAlive) {
        return new TypedTransport(sender)
                .askIndex(client -> client.openPointInTime(p ->
                        p.index(index).keepAlive(time -> time.time(keepAlive)).allowPartialSearchResults(false)))
                .map(answer -> {
                    AnswerStatus.requireAll(answer.shards(), "a point in time of " + index);
                    return answer.id();
                });
    }

    /** Closes a point in time. Does nothing if the point in time has expired. */
    public void closePointInTime(String id) {
        TypedTransport transport = new TypedTransport(sender);
        try {
            var unused = transport.ask(client -> client.closePointInTime(p -> p.id(id)));
        } catch (NoAnswerException e) {
            if (!transport.isNotFound()) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        sender.close();
    }
}
