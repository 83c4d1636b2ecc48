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
import org.treerename.rename.RawJson;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Requests to one Elasticsearch, and how their failures are sorted: no answer (also 401, 408, 429, every 5xx and what TLS does
 * not trust), or refused for good. Bodies are bytes, because the documents of a tree come back byte for byte. Any thread may call it.
 *
 * <p>The client beneath sends a request again to another host when a host answers 502, 503 or 504, or not at all; so every
 * request here may be executed twice.
 */
public final class Elastic implements AutoCloseable {

    /**
     * Where it is and how long one request may take.
     *
     * @param urls of its nodes
     * @param timeout from the sending of a request to the last byte of its answer's head
     * @param connections how many requests are under way at once; more wait
     * @param authorization null where nobody is asked who asks
     * @param tls null where the URLs are http, or the Java virtual machine trusts whoever signed the certificates
     */
    public record Settings(
            List<URI> urls,
            Duration timeout,
            int connections,
            @Nullable Authorization authorization,
            @Nullable Tls tls) {
        public Settings {
            urls = List.copyOf(urls);
            requireUsable(urls, tls);
            if (connections < 1 || connections > 1_000) {
                throw new IllegalArgumentException(
                        "1 to 1000 requests to Elasticsearch may be under way at once, found " + connections);
            }
        }

        /** How many requests are under way at once where nobody says otherwise. */
        public static final int CONNECTIONS = 32;

        /** The same with this many requests at once. */
        public Settings withConnections(int most) {
            return new Settings(urls, timeout, most, authorization, tls);
        }

        /** The same with another time-out. */
        public Settings withTimeout(Duration other) {
            return new Settings(urls, other, connections, authorization, tls);
        }

        /** The same as somebody. */
        public Settings as(@Nullable Authorization somebody) {
            return new Settings(urls, timeout, connections, somebody, tls);
        }

        /** The same over TLS as this says. */
        public Settings over(@Nullable Tls other) {
            return new Settings(urls, timeout, connections, authorization, other);
        }

        /** From a list with commas, as a setting carries it. */
        public static Settings of(String urls, Duration timeout) {
            List<URI> parsed = List.of(urls.split(",")).stream()
                    .map(String::strip)
                    .map(URI::create)
                    .toList();
            return new Settings(parsed, timeout, CONNECTIONS, null, null);
        }

        /** What an authorization goes with is encrypted everywhere or, as the user wants it, nowhere. */
        private static void requireUsable(List<URI> urls, @Nullable Tls tls) {
            if (urls.isEmpty()) {
                throw new IllegalArgumentException("no URL of Elasticsearch is given");
            }
            Set<String> schemes = new TreeSet<>();
            for (URI url : urls) {
                if (url.getRawUserInfo() != null) {
                    throw new IllegalArgumentException(
                            "a URL of Elasticsearch names no user and no password: they stand in files");
                }
                if (url.getHost() == null || !SCHEMES.contains(String.valueOf(url.getScheme()))) {
                    throw new IllegalArgumentException(
                            "a URL of Elasticsearch is http://HOST:PORT or https://HOST:PORT, found " + url);
                }
                schemes.add(url.getScheme());
            }
            if (schemes.size() > 1) {
                throw new IllegalArgumentException(
                        "the URLs of Elasticsearch are all http or all https, found both: " + urls);
            }
            if (tls != null && schemes.contains("http")) {
                throw new IllegalArgumentException(
                        "certificates are given for Elasticsearch, so its URLs are https, found " + urls);
            }
        }

        private static final Set<String> SCHEMES = Set.of("http", "https");
    }

    /** The status of a request that got no answer. */
    public static final int NO_ANSWER = 0;

    /** Is told of each request. */
    public interface Observer {

        /** A thread asks for something, on that thread; the request may be another one's, too, and sent by that. */
        default void asking() {}

        /**
         * Before it is sent, on the thread that sends it.
         *
         * @param request as in {@code POST /_mget}
         * @return is told of its end
         */
        Sent sending(String request);
    }

    /** A request that was sent. */
    public interface Sent {

        /**
         * It has ended.
         *
         * @param status of HTTP, or {@link #NO_ANSWER}
         */
        void ended(int status);
    }

    /**
     * What came back: 2xx, 404 or 409.
     *
     * @param node that gave it
     */
    record Answer(int status, RawJson content, HttpHost node) {

        JsonNode json() {
            return Json.read(body());
        }

        byte[] body() {
            return content.bytes();
        }

        boolean isOk() {
            return status < 300;
        }
    }

    /** The type of the error of whatever an index, or the whole cluster, does not take now. */
    static final String BLOCK = "cluster_block_exception";

    /** The type of the error of a request to an index that is not there. */
    static final String NO_INDEX = "index_not_found_exception";

    private static final List<String> UNAVAILABLE =
            List.of(BLOCK, NO_INDEX, "index_closed_exception", "no_shard_available_action_exception");

    /** In the path of each request that reads or writes documents of the control index. */
    private static final String CONTROL_DOCUMENTS = "/" + ControlIndex.NAME + "/_";

    private static final int LONGEST_REASON = 500;
    private static final ContentType NDJSON = ContentType.create("application/x-ndjson");
    private static final byte[] NOTHING = {};
    private static final String PROBE = "/" + ControlIndex.NAME + "/_search";
    private static final RequestOptions PROBING = RequestOptions.DEFAULT.toBuilder()
            .setRequestConfig(RequestConfig.custom()
                    .setResponseTimeout(Timeout.ofSeconds(2))
                    .build())
            .build();

    /** To which node alone the requests of this thread go, as long as one is under way; null for any. */
    private static final ThreadLocal<@Nullable HttpHost> ONLY = new ThreadLocal<>();

    private final Rest5Client client;
    private final Observer observer;
    private final @Nullable HttpHost only;
    private final @Nullable Circuit circuit;

    private Elastic(Rest5Client client, Observer observer, @Nullable HttpHost only, @Nullable Circuit circuit) {
        this.client = client;
        this.observer = observer;
        this.only = only;
        this.circuit = circuit;
    }

    public static Elastic connect(Settings settings) {
        return connect(settings, request -> status -> {});
    }

    /** Connects lazily. */
    public static Elastic connect(Settings settings, Observer observer) {
        return new Elastic(client(settings).build(), observer, null, null);
    }

    /** The builder of the HTTP client, configured by the settings. */
    static Rest5ClientBuilder client(Settings settings) {
        Timeout timeout = Timeout.of(settings.timeout());
        Authorization authorization = settings.authorization();
        Header[] headers = authorization == null
                ? new Header[0]
                : new Header[] {new BasicHeader(HttpHeaders.AUTHORIZATION, authorization.header())};
        return Rest5Client.builder(settings.urls())
                .setDefaultHeaders(headers)
                // the HTTP client would repeat a request one second after an answer of 429 or 503; callers have their
                // own pauses
                .setHttpClientConfigCallback(HttpAsyncClientBuilder::disableAutomaticRetries)
                // to pack and unpack the documents of a page takes both sides longer than to carry them
                .setRequestConfigCallback(config -> config.setResponseTimeout(timeout)
                        .setConnectionRequestTimeout(timeout)
                        .setContentCompressionEnabled(false))
                .setConnectionConfigCallback(
                        config -> config.setConnectTimeout(timeout).setSocketTimeout(timeout))
                .setConnectionManagerCallback(pool -> pool.setTlsStrategy(Tls.strategy(settings.tls()))
                        .setMaxConnPerRoute(settings.connections())
                        .setMaxConnTotal(settings.connections()))
                .setNodeSelector(Elastic::leaveTheOnlyOne);
    }

    /**
     * The same connections, but every request goes to the node that gave this answer, or gets no answer. A node that is cut
     * off from the others goes on answering searches with what was; what it has told of itself must come from it, too.
     */
    Elastic at(Answer answer) {
        return new Elastic(client, observer, answer.node(), circuit);
    }

    /** The same connections, but every request goes to the node with this address, or gets no answer. */
    Elastic at(String address) {
        URI uri = URI.create(address);
        HttpHost node = new HttpHost(uri.getScheme(), uri.getHost(), uri.getPort());
        return new Elastic(client, observer, node, circuit);
    }

    /** The address of the only node to which requests go; empty where they go to any. */
    String address() {
        return only == null ? "" : only.toURI();
    }

    /**
     * The same connections, but no request is sent while none would be answered: each ends in a {@link NoAnswerException} at
     * once, until {@link #probe} finds that there is somebody again.
     */
    public Elastic behindCircuit() {
        return new Elastic(client, observer, only, new Circuit());
    }

    /** Whether nobody answers, and no request is sent. */
    public boolean isGone() {
        return circuit != null && circuit.isOpen();
    }

    /** Asks, where nobody answered, whether there is somebody again. Called now and then. */
    public void probe() {
        if (circuit != null) {
            circuit.probe(() -> {
                Request request = new Request("GET", PROBE);
                request.addParameter("size", "0");
                request.setOptions(PROBING);
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

    private static void leaveTheOnlyOne(Iterable<Node> nodes) {
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

    Answer post(String path) {
        return send("POST", path, null, RequestOptions.DEFAULT);
    }

    Answer post(String path, JsonNode body) {
        return send("POST", path, entity(Json.bytes(body)), RequestOptions.DEFAULT);
    }

    /**
     * Posts JSON, for an answer that may be large.
     *
     * @throws TooLargeException if the answer has more bytes
     */
    Answer post(String path, JsonNode body, int mostBytes) {
        return send("POST", path, entity(Json.bytes(body)), answeredBy(mostBytes));
    }

    private static RequestOptions answeredBy(int mostBytes) {
        return RequestOptions.DEFAULT.toBuilder()
                .setHttpAsyncResponseConsumerFactory(new BasicAsyncResponseConsumerFactory(mostBytes))
                .build();
    }

    Answer put(String path, JsonNode body) {
        return send("PUT", path, entity(Json.bytes(body)), RequestOptions.DEFAULT);
    }

    Answer delete(String path, JsonNode body) {
        return send("DELETE", path, entity(Json.bytes(body)), RequestOptions.DEFAULT);
    }

    /**
     * Posts lines of JSON, for an answer that may be large.
     *
     * @throws TooLargeException if the answer has more bytes
     */
    Answer postLinesFor(int mostBytes, String path, byte[] lines) {
        return send("POST", path, new ByteArrayEntity(lines, NDJSON), answeredBy(mostBytes));
    }

    Answer postLines(String path, byte[] lines) {
        return postLines(path, lines, lines.length);
    }

    /** The first bytes of an array, which is not changed meanwhile. */
    Answer postLines(String path, byte[] lines, int length) {
        return send("POST", path, new ByteArrayEntity(lines, 0, length, NDJSON), RequestOptions.DEFAULT);
    }

    /** Tells that this thread goes on. */
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
            return sorted(method + " " + path, answer);
        } catch (IOException e) {
            if (isTooLarge(e)) {
                throw new TooLargeException(method + " " + path + " has too large an answer: " + e, e);
            }
            // to wait for a connection in vain says nothing of Elasticsearch
            if (!(e instanceof ConnectionRequestTimeoutException)) {
                tell(c -> c.silent(e));
            }
            Optional<SSLException> untrusted = untrusted(e);
            if (untrusted.isPresent()) {
                throw NoAnswerException.notLetIn(
                        "Elasticsearch cannot be spoken to over TLS: "
                                + untrusted.get().getMessage(),
                        e);
            }
            throw new NoAnswerException(method + " " + path + " got no answer: " + e, e);
        } finally {
            ONLY.remove();
            sent.ended(status);
        }
    }

    /** What failed in TLS itself, the last of it; empty where it was the line beneath that broke. */
    private static Optional<SSLException> untrusted(Throwable failure) {
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
            tell(Circuit::answered);
            return answer(response);
        } catch (ResponseException e) {
            Answer answer = answer(e.getResponse());
            if (isOfNobody(answer)) {
                tell(c -> c.silent(e));
            } else {
                tell(Circuit::answered);
            }
            return answer;
        }
    }

    /** What one node alone was asked says nothing of the others. */
    private void tell(Consumer<Circuit> what) {
        if (circuit != null && only == null) {
            what.accept(circuit);
        }
    }

    /** No node that knows of a cluster; an index without its shards answers 503, too, but that is not everybody's affair. */
    private static boolean isOfNobody(Answer answer) {
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
            throw new NoAnswerException("the answer broke off: " + e, e);
        }
    }

    private static Answer sorted(String request, Answer answer) {
        if (answer.isOk() || answer.status() == 404 || answer.status() == 409) {
            return answer;
        }
        if (answer.status() == HttpStatus.SC_UNAUTHORIZED) {
            String why = answer.json().path("error").path("reason").asText();
            throw NoAnswerException.notLetIn("Elasticsearch does not let this process in: " + why, null);
        }
        String reason = new String(answer.body(), StandardCharsets.UTF_8);
        String message = request + " answered " + answer.status() + ": "
                + reason.substring(0, Math.min(reason.length(), LONGEST_REASON));
        boolean unavailable = request.contains(CONTROL_DOCUMENTS) && isUnavailable(answer.status(), reason);
        if (isTransient(answer.status()) || unavailable) {
            throw new NoAnswerException(message, null);
        }
        throw new RefusedException(message);
    }

    /**
     * Returns whether an index is unavailable until someone grants a privilege, opens the index or removes a block. Work that
     * has begun cannot finish without the control index, so it waits. The same request succeeds later.
     *
     * @param reason contains the type of the error
     */
    static boolean isUnavailable(int status, String reason) {
        return status == HttpStatus.SC_FORBIDDEN || UNAVAILABLE.stream().anyMatch(reason::contains);
    }

    /** Whether a status, of a request or of an item of a bulk, asks to come again or leaves the effect unknown. */
    static boolean isTransient(int status) {
        return status == 408 || status == 429 || status >= 500;
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing the client of Elasticsearch", e);
        }
    }
}
