package org.treerename.elastic;

import co.elastic.clients.transport.rest5_client.low_level.HttpAsyncResponseConsumerFactory.BasicAsyncResponseConsumerFactory;
import co.elastic.clients.transport.rest5_client.low_level.Node;
import co.elastic.clients.transport.rest5_client.low_level.Request;
import co.elastic.clients.transport.rest5_client.low_level.RequestOptions;
import co.elastic.clients.transport.rest5_client.low_level.Response;
import co.elastic.clients.transport.rest5_client.low_level.ResponseException;
import co.elastic.clients.transport.rest5_client.low_level.Rest5Client;
import co.elastic.clients.transport.rest5_client.low_level.Rest5ClientBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.ContentTooLongException;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.RawJson;

/**
 * Sends requests to one Elasticsearch cluster and classifies their failures. There are two kinds of failures: a request
 * gets no answer, or Elasticsearch refuses it permanently. The first kind includes 401, 408, 429, every 5xx, and a TLS
 * failure. Bodies are bytes, because the documents of a tree must not change by one byte. Any thread may call this
 * class.
 *
 * <p>If a host does not answer, or answers 502, 503 or 504, the low-level client sends the request to another host. So
 * every request may run twice.
 */
public final class Elastic implements AutoCloseable {

    /**
     * The addresses of the cluster and the limits of a request.
     *
     * @param urls the URLs of the nodes
     * @param timeout the longest time between the sending of a request and the last byte of the response head
     * @param connections the largest number of requests at the same time; further requests wait
     * @param authorization the credentials; null if Elasticsearch requires none
     * @param tls the certificates; null if the URLs are http. Null also if the Java virtual machine trusts the
     *     authority of Elasticsearch
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
            requireUsable(urls, tls);
            if (connections < 1 || connections > 1_000) {
                throw new IllegalArgumentException(
                        "the number of concurrent requests to Elasticsearch must be 1 to 1000, was " + connections);
            }
        }

        /** The default number of requests at the same time. */
        public static final int CONNECTIONS = 32;

        /** Returns a copy with another number of requests at the same time. */
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

        /** Parses a setting: URLs with commas between them. The installation is the one without a prefix. */
        public static Settings of(String urls, Duration timeout) {
            List<URI> parsed = List.of(urls.split(",")).stream()
                    .map(String::strip)
                    .map(URI::create)
                    .toList();
            return new Settings(parsed, timeout, CONNECTIONS, null, null, Installation.DEFAULT);
        }

        /**
         * Throws if the URLs are unusable. Either all URLs must be https, or all must be http. So the credentials are
         * encrypted on every connection or on none.
         */
        private static void requireUsable(List<URI> urls, @Nullable Tls tls) {
            if (urls.isEmpty()) {
                throw new IllegalArgumentException("at least one URL of Elasticsearch is required");
            }
            Set<String> schemes = new TreeSet<>();
            for (URI url : urls) {
                if (url.getRawUserInfo() != null) {
                    throw new IllegalArgumentException(
                            "a URL of Elasticsearch must not contain a user or a password; use the separate settings"
                                    + " for them");
                }
                if (url.getHost() == null || !SCHEMES.contains(String.valueOf(url.getScheme()))) {
                    throw new IllegalArgumentException(
                            "a URL of Elasticsearch must have the form http://HOST:PORT or https://HOST:PORT, found "
                                    + url);
                }
                schemes.add(url.getScheme());
            }
            if (schemes.size() > 1) {
                throw new IllegalArgumentException(
                        "the URLs of Elasticsearch must be all http or all https, found both: " + urls);
            }
            if (tls != null && schemes.contains("http")) {
                throw new IllegalArgumentException(
                        "the URLs of Elasticsearch must be https if certificates are given, found " + urls);
            }
        }

        private static final Set<String> SCHEMES = Set.of("http", "https");
    }

    /** The status of a request without an answer. */
    public static final int NO_ANSWER = 0;

    /** Observes each request. */
    public interface Observer {

        /**
         * Called on a thread that needs an answer, before the thread may block. Another thread may send the request,
         * because several threads can share one request.
         */
        default void asking() {}

        /**
         * Called before a request is sent, on the thread that sends it.
         *
         * @param request the method and the path, as in {@code POST /_mget}
         * @return the observer of the end of this request
         */
        Sent sending(String request);
    }

    /** The observer of a request that was sent. */
    public interface Sent {

        /**
         * Called when the request has ended.
         *
         * @param status the HTTP status, or {@link #NO_ANSWER}
         */
        void ended(int status);
    }

    /**
     * The response to a request: 2xx, 404 or 409.
     *
     * @param node the node that sent the response
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

    /** The error type of a request that Elasticsearch refuses because of a block of an index or of the whole cluster. */
    static final String BLOCK = "cluster_block_exception";

    /** The error type of a request to an index that does not exist. */
    static final String NO_INDEX = "index_not_found_exception";

    private static final List<String> UNAVAILABLE =
            List.of(BLOCK, NO_INDEX, "index_closed_exception", "no_shard_available_action_exception");

    private static final int MOST_REASON_CHARACTERS = 500;
    private static final ContentType NDJSON = ContentType.create("application/x-ndjson");
    private static final byte[] NOTHING = {};
    private static final RequestOptions PROBE_OPTIONS = RequestOptions.DEFAULT.toBuilder()
            .setRequestConfig(RequestConfig.custom()
                    .setResponseTimeout(Timeout.ofSeconds(2))
                    .build())
            .build();

    /** The only node to which the current request of this thread may go; null for any node. */
    private static final ThreadLocal<@Nullable HttpHost> ONLY = new ThreadLocal<>();

    private final Rest5Client client;
    private final Installation installation;
    private final Observer observer;
    private final NodeVersions versions;
    private final @Nullable HttpHost only;
    private final @Nullable Circuit circuit;

    private Elastic(
            Rest5Client client,
            Installation installation,
            Observer observer,
            NodeVersions versions,
            @Nullable HttpHost only,
            @Nullable Circuit circuit) {
        this.client = client;
        this.installation = installation;
        this.observer = observer;
        this.versions = versions;
        this.only = only;
        this.circuit = circuit;
    }

    public static Elastic connect(Settings settings) {
        return connect(settings, request -> status -> {});
    }

    /** Creates a client. It connects when it sends the first request. */
    public static Elastic connect(Settings settings, Observer observer) {
        return new Elastic(client(settings).build(), settings.installation(), observer, new NodeVersions(), null, null);
    }

    /** Returns the installation whose control index this client uses. */
    public Installation installation() {
        return installation;
    }

    /** Returns the beginning of the path of each request that reads or writes documents of the control index. */
    private String controlDocuments() {
        return "/" + installation.controlIndex() + "/_";
    }

    /** Returns the builder of the HTTP client, configured by the settings. */
    static Rest5ClientBuilder client(Settings settings) {
        Timeout timeout = Timeout.of(settings.timeout());
        Authorization authorization = settings.authorization();
        Header[] headers = authorization == null
                ? new Header[0]
                : new Header[] {new BasicHeader(HttpHeaders.AUTHORIZATION, authorization.header())};
        return Rest5Client.builder(settings.urls())
                .setDefaultHeaders(headers)
                // the HTTP client would retry a request one second after a 429 or 503; the callers already
                // retry with their own pauses
                .setHttpClientConfigCallback(HttpAsyncClientBuilder::disableAutomaticRetries)
                // to compress and decompress a page of documents takes longer than to send it uncompressed
                .setRequestConfigCallback(config -> config.setResponseTimeout(timeout)
                        .setConnectionRequestTimeout(timeout)
                        .setContentCompressionEnabled(false))
                .setConnectionConfigCallback(
                        config -> config.setConnectTimeout(timeout).setSocketTimeout(timeout))
                .setConnectionManagerCallback(pool -> pool.setTlsStrategy(Tls.strategy(settings.tls()))
                        .setMaxConnPerRoute(settings.connections())
                        .setMaxConnTotal(settings.connections()))
                .setNodeSelector(Elastic::removeOtherNodes);
    }

    /**
     * Returns a client with the same connections. All its requests use only the node that sent this answer. A node that
     * is cut off from the cluster still answers searches, from an old state. So a search that relies on this answer
     * must use the same node.
     */
    public Elastic at(Answer answer) {
        return new Elastic(client, installation, observer, versions, answer.node(), circuit);
    }

    /** Returns a client with the same connections. All its requests use only the node with this address. */
    public Elastic at(String address) {
        URI uri = URI.create(address);
        HttpHost node = new HttpHost(uri.getScheme(), uri.getHost(), uri.getPort());
        return new Elastic(client, installation, observer, versions, node, circuit);
    }

    /** Returns the address of the only node to which requests go; empty if they go to any node. */
    String address() {
        return only == null ? "" : only.toURI();
    }

    /**
     * Returns a client with the same connections and a circuit breaker. While Elasticsearch is unavailable, the client sends no request and
     * throws {@link NoAnswerException} at once, until a {@link #probe} gets an answer.
     */
    public Elastic behindCircuit() {
        return new Elastic(client, installation, observer, versions, only, new Circuit());
    }

    /** Returns whether Elasticsearch is unavailable. The circuit breaker then stops all requests. */
    public boolean isGone() {
        return circuit != null && circuit.isOpen();
    }

    /** Sends a probe if Elasticsearch is unavailable. Called periodically. */
    public void probe() {
        if (circuit != null) {
            circuit.probe(() -> {
                Request request = new Request("GET", controlDocuments() + "search");
                request.addParameter("size", "0");
                request.setOptions(PROBE_OPTIONS);
                try {
                    var unused = client.performRequest(request);
                } catch (ResponseException e) {
                    if (e.getResponse().getStatusCode() >= 500) {
                        throw e;
                    }
                }
            });
        }
    }

    /**
     * Reads the versions of the nodes. Clients that this client returns share the result.
     *
     * @return the versions; empty if this process may not read them
     */
    public Set<String> readVersions() {
        return versions.read(this);
    }

    /** Returns whether a request for whole documents must contain {@code exclude_vectors: false}. */
    boolean knowsExcludeVectors() {
        return versions.knowExcludeVectors(this);
    }

    private static void removeOtherNodes(Iterable<Node> nodes) {
        HttpHost only = ONLY.get();
        for (Iterator<Node> it = nodes.iterator(); it.hasNext(); ) {
            Node node = it.next();
            if (only != null && !only.equals(node.getHost())) {
                it.remove();
            }
        }
    }

    Answer get(String path) {
        return send("GET", path, null, RequestOptions.DEFAULT);
    }

    public Answer post(String path) {
        return send("POST", path, null, RequestOptions.DEFAULT);
    }

    public Answer post(String path, JsonNode body) {
        return send("POST", path, entity(Json.bytes(body)), RequestOptions.DEFAULT);
    }

    /**
     * Posts JSON. The answer may be large.
     *
     * @throws TooLargeException if the answer has more than {@code mostBytes} bytes
     */
    public Answer post(String path, JsonNode body, int mostBytes) {
        return send("POST", path, entity(Json.bytes(body)), withMostBytes(mostBytes));
    }

    private static RequestOptions withMostBytes(int mostBytes) {
        return RequestOptions.DEFAULT.toBuilder()
                .setHttpAsyncResponseConsumerFactory(new BasicAsyncResponseConsumerFactory(mostBytes))
                .build();
    }

    Answer put(String path, JsonNode body) {
        return send("PUT", path, entity(Json.bytes(body)), RequestOptions.DEFAULT);
    }

    public Answer delete(String path, JsonNode body) {
        return send("DELETE", path, entity(Json.bytes(body)), RequestOptions.DEFAULT);
    }

    /**
     * Posts lines of JSON. The answer may be large.
     *
     * @throws TooLargeException if the answer has more than {@code mostBytes} bytes
     */
    Answer postLinesFor(int mostBytes, String path, byte[] lines) {
        return send("POST", path, new ByteArrayEntity(lines, NDJSON), withMostBytes(mostBytes));
    }

    Answer postLines(String path, byte[] lines) {
        return postLines(path, lines, lines.length);
    }

    /** Posts the first {@code length} bytes of an array. The caller must not change the array during the call. */
    Answer postLines(String path, byte[] lines, int length) {
        return send("POST", path, new ByteArrayEntity(lines, 0, length, NDJSON), RequestOptions.DEFAULT);
    }

    /** Notifies the observer that this thread needs an answer and may now block. */
    void asking() {
        observer.asking();
    }

    private static HttpEntity entity(byte[] json) {
        return new ByteArrayEntity(json, ContentType.APPLICATION_JSON);
    }

    private Answer send(String method, String path, @Nullable HttpEntity body, RequestOptions options) {
        observer.asking();
        Sent sent = observer.sending(method + " " + path);
        int status = NO_ANSWER;
        URI uri = URI.create(path);
        Request request = new Request(method, uri.getRawPath());
        request.setOptions(options);
        if (uri.getQuery() != null) {
            for (String parameter : uri.getQuery().split("&", -1)) {
                int equals = parameter.indexOf('=');
                request.addParameter(parameter.substring(0, equals), parameter.substring(equals + 1));
            }
        }
        if (body != null) {
            request.setEntity(body);
        }
        try {
            ONLY.set(only);
            if (circuit != null) {
                circuit.admit();
            }
            Answer answer = answerTo(request);
            status = answer.status();
            return classified(method + " " + path, answer);
        } catch (IOException e) {
            if (isTooLarge(e)) {
                throw new TooLargeException(method + " " + path + ": the answer is too large: " + e, e);
            }
            // no connection of this client was free in time; this is not a failure of Elasticsearch
            if (!(e instanceof ConnectionRequestTimeoutException)) {
                reportToCircuit(c -> c.silent(e));
            }
            Optional<SSLException> tlsFailure = tlsFailure(e);
            if (tlsFailure.isPresent()) {
                throw NoAnswerException.authenticationFailed(
                        "the TLS connection to Elasticsearch failed: "
                                + tlsFailure.get().getMessage(),
                        e);
            }
            throw new NoAnswerException(method + " " + path + " got no answer: " + e, e);
        } finally {
            ONLY.remove();
            sent.ended(status);
        }
    }

    /**
     * Returns the innermost TLS failure. Returns empty if there is no TLS failure, or if a failure of the network
     * connection caused it.
     */
    private static Optional<SSLException> tlsFailure(Throwable failure) {
        Optional<SSLException> found = Optional.empty();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException tls) {
                found = Optional.of(tls);
            } else if (found.isPresent() && cause instanceof IOException) {
                return Optional.empty();
            }
        }
        return found;
    }

    private static boolean isTooLarge(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ContentTooLongException) {
                return true;
            }
        }
        return false;
    }

    private Answer answerTo(Request request) throws IOException {
        try {
            Response response = client.performRequest(request);
            reportToCircuit(Circuit::answered);
            return answer(response);
        } catch (ResponseException e) {
            Answer answer = answer(e.getResponse());
            if (isFromNoCluster(answer)) {
                reportToCircuit(c -> c.silent(e));
            } else {
                reportToCircuit(Circuit::answered);
            }
            return answer;
        }
    }

    /**
     * Reports a result to the circuit breaker. It does not report a request that could use only one node, because the
     * other nodes may still answer.
     */
    private void reportToCircuit(Consumer<Circuit> report) {
        if (circuit != null && only == null) {
            report.accept(circuit);
        }
    }

    /**
     * Returns whether the answer comes from a node without a working cluster, or from a proxy. A search of an index
     * whose shards are unavailable also gets a 503, but then other requests still succeed.
     */
    private static boolean isFromNoCluster(Answer answer) {
        if (answer.status() < 502 || answer.status() > 504) {
            return false;
        }
        String body = new String(answer.body(), StandardCharsets.UTF_8);
        return body.contains("master_not_discovered_exception") || body.contains(BLOCK) || !body.contains("\"error\"");
    }

    private static Answer answer(Response response) {
        HttpEntity entity = response.getEntity();
        try {
            return new Answer(
                    response.getStatusCode(),
                    new RawJson(entity == null ? NOTHING : EntityUtils.toByteArray(entity)),
                    response.getHost());
        } catch (IOException e) {
            throw new NoAnswerException("cannot read the response to the end: " + e, e);
        }
    }

    /** Returns the answer if its status is 2xx, 404 or 409. Throws otherwise. */
    private Answer classified(String request, Answer answer) {
        if (answer.isOk() || answer.status() == 404 || answer.status() == 409) {
            return answer;
        }
        if (answer.status() == HttpStatus.SC_UNAUTHORIZED) {
            String reason = answer.json().path("error").path("reason").asText();
            throw NoAnswerException.authenticationFailed(
                    "Elasticsearch rejected the credentials of this process: " + reason, null);
        }
        String body = new String(answer.body(), StandardCharsets.UTF_8);
        String message = request + " answered " + answer.status() + ": "
                + body.substring(0, Math.min(body.length(), MOST_REASON_CHARACTERS));
        boolean unavailable = request.contains(controlDocuments()) && isUnavailable(answer.status(), body);
        if (isTransient(answer.status()) || unavailable) {
            throw new NoAnswerException(message, null);
        }
        throw new RefusedException(message);
    }

    /**
     * Returns whether an index is unavailable until an operator grants a privilege, opens the index or removes a block.
     * The same request then succeeds, so a process with unfinished work waits.
     *
     * @param reason a text that contains the type of the error
     */
    static boolean isUnavailable(int status, String reason) {
        return status == HttpStatus.SC_FORBIDDEN || UNAVAILABLE.stream().anyMatch(reason::contains);
    }

    /** Returns whether the status of a request or of a bulk item requests a retry, or leaves the effect unknown. */
    static boolean isTransient(int status) {
        return status == 408 || status == 429 || status >= 500;
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the client of Elasticsearch", e);
        }
    }
}
