package org.treerename.producer.http;

import io.helidon.common.tls.Tls;
import io.helidon.http.DirectHandler;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.DirectHandler.TransportResponse;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpPrologue;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionListener;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.http.Tokens;
import org.treerename.observe.Meters;
import org.treerename.observe.Metric;
import org.treerename.runtime.Loop;
import org.treerename.runtime.Time;

/** The HTTP server of the gateway, with all its limits. */
final class Gateway implements AutoCloseable {

    /** The largest body in bytes. It has room for the longest valid request, even if each character is escaped. */
    static final int MAX_BODY = 256 * 1024;

    /** The largest size in bytes of all headers of a request. */
    static final int MAX_HEADERS = 16 * 1024;

    /** The largest size in bytes of the first line of a request. */
    static final int MAX_LINE = 8 * 1024;

    /** The longest time without a received byte, also between two requests. */
    static final Duration MAX_IDLE = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(Gateway.class);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofSeconds(5);

    /**
     * The address of the gateway and its access control.
     *
     * @param tls null for no TLS
     * @param tokens null if the gateway requires no token
     */
    record Access(
            InetSocketAddress address,
            @Nullable Tls tls,
            @Nullable Tokens tokens) {}

    /**
     * The limits of the load.
     *
     * @param connections the largest number of open connections
     * @param requests the largest number of concurrent requests, without those that follow renames
     * @param streams the largest number of clients that follow renames
     * @param requestsPerSecond the largest number of requests per second of each caller
     */
    record Limits(int connections, int requests, int streams, int requestsPerSecond) {
        Limits {
            requirePositive("--http-connections", connections);
            requirePositive("--http-requests", requests);
            requirePositive("--http-streams", streams);
            requirePositive("--http-requests-per-second", requestsPerSecond);
        }

        private static void requirePositive(String option, int found) {
            if (found < 1) {
                throw new IllegalArgumentException(option + " must be at least 1, was " + found);
            }
        }
    }

    private final WebServer server;
    private final Streams streams;
    private final SlowClients slow;
    private final Loop following;
    private final Loop watching;
    private final String url;

    private Gateway(WebServer server, Streams streams, SlowClients slow, Loop following, Loop watching, String url) {
        this.server = server;
        this.streams = streams;
        this.slow = slow;
        this.following = following;
        this.watching = watching;
        this.url = url;
    }

    /**
     * Opens the gateway.
     *
     * @throws IllegalArgumentException if the gateway cannot listen on the address
     */
    static Gateway open(Access access, Limits limits, Api api, Streams streams, Surroundings around) {
        SlowClients slow = new SlowClients(around.time());
        RequestHandler handler = new RequestHandler(
                api,
                new Callers(access.tokens()),
                new RateLimits(limits.requestsPerSecond(), around.time()),
                streams,
                slow,
                around.meters());
        around.meters().show(Metric.HTTP_STREAMS, streams::size);
        WebServer server = server(access, limits, handler, slow);
        try {
            server.start();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("cannot listen on " + access.address() + ": " + e.getMessage(), e);
        }
        Loop following = Loop.start("gateway-streams", around.time(), SECOND, streams::poll);
        Loop watching = Loop.start("gateway-clients", around.time(), SECOND, () -> {
            slow.poll();
            if (access.tokens() != null) {
                access.tokens().poll();
            }
        });
        String url = (access.tls() == null ? "http" : "https") + "://"
                + access.address().getHostString() + ":" + server.port();
        log.info("the gateway is on {}", url);
        return new Gateway(server, streams, slow, following, watching, url);
    }

    /** The metrics and the clock of the gateway. */
    record Surroundings(Meters meters, Time time) {}

    private static WebServer server(Access access, Limits limits, RequestHandler handler, SlowClients slow) {
        DirectHandlers.Builder refusals = DirectHandlers.builder();
        Arrays.stream(EventType.values()).forEach(type -> refusals.addHandler(type, Gateway::refused));
        var server = WebServer.builder()
                .featuresDiscoverServices(false)
                .shutdownHook(false)
                .address(access.address().getAddress())
                .port(access.address().getPort())
                .maxPayloadSize(MAX_BODY)
                .maxTcpConnections(limits.connections())
                .maxConcurrentRequests(limits.requests() + limits.streams())
                .idleConnectionTimeout(MAX_IDLE)
                .idleConnectionPeriod(MAX_IDLE.dividedBy(3))
                .connectionOptions(options -> options.readTimeout(MAX_IDLE))
                .shutdownGracePeriod(GRACE)
                .directHandlers(refusals.build())
                .addProtocol(Http1Config.builder()
                        .maxHeadersSize(MAX_HEADERS)
                        .maxPrologueLength(MAX_LINE)
                        .sendKeepAliveHeader(false)
                        .addReceiveListener(new Http1ConnectionListener() {
                            @Override
                            public void prologue(ConnectionContext context, HttpPrologue prologue) {
                                slow.begin(RequestHandler.MAX_SENDING);
                            }
                        })
                        .build())
                .routing(routing -> routing.any(handler));
        if (access.tls() != null) {
            server.tls(access.tls());
        }
        return server.build();
    }

    /** Returns the response to input that is not a valid HTTP request. */
    private static TransportResponse refused(
            DirectHandler.TransportRequest request,
            EventType type,
            Status status,
            ServerResponseHeaders headers,
            @Nullable String message) {
        Problem problem = switch (status.code()) {
            case 413 -> Problem.TOO_LARGE;
            case 414 -> Problem.URI_TOO_LONG;
            case 503 -> Problem.OVERLOADED;
            case 505 -> Problem.HTTP_VERSION;
            // an error that occurs before the handler is caused by the request; the handler reports its own
            // errors
            default ->
                status.code() < 500 || type == EventType.INTERNAL_ERROR ? Problem.MALFORMED_HTTP : Problem.DEFECT;
        };
        Answer answer = Answer.problem(problem, problem.title(), null, Map.of());
        TransportResponse.Builder response = TransportResponse.builder()
                .status(Status.create(problem.status()))
                .header(HeaderNames.CONTENT_TYPE, answer.type())
                .keepAlive(false)
                .entity(answer.bytes());
        RequestHandler.HEADERS.forEach((name, value) -> response.header(HeaderNames.create(name), value));
        if (problem == Problem.OVERLOADED) {
            response.header(HeaderNames.RETRY_AFTER, "1");
        }
        return response.build();
    }

    /** Returns the URL, for example {@code http://127.0.0.1:8080}. */
    String url() {
        return url;
    }

    /** Returns the number of connections that now wait for their client within a request. */
    int waitsFor() {
        return slow.size();
    }

    /** Stops the gateway. Ends all streams at once. Requests in progress have five seconds to end. */
    @Override
    public void close() {
        try (following;
                watching) {
            streams.close();
            server.stop();
        }
    }
}
