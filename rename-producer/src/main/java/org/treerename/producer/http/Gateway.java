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
import org.treerename.metrics.Meters;
import org.treerename.metrics.Metric;
import org.treerename.runtime.Loop;
import org.treerename.runtime.Time;
import org.treerename.runtime.Tokens;

/** The HTTP server, with all its limits. */
final class Gateway implements AutoCloseable {

    /** Bytes; the longest request that can be carried out fits with every character escaped. */
    static final int MAX_BODY = 256 * 1024;

    /** Bytes of all headers of a request, and of its first line. */
    static final int MAX_HEADERS = 16 * 1024;

    static final int MAX_LINE = 8 * 1024;

    /** Without a byte, and between two requests. */
    static final Duration MAX_IDLE = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(Gateway.class);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofSeconds(5);

    /**
     * Where it listens, and to whom.
     *
     * @param tls null for none
     * @param tokens null where none is asked for
     */
    record Access(
            InetSocketAddress address,
            @Nullable Tls tls,
            @Nullable Tokens tokens) {}

    /**
     * How much it takes.
     *
     * @param connections at once
     * @param requests at once, without those that follow renames
     * @param streams that follow renames at once
     * @param requestsPerSecond of each caller
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
                throw new IllegalArgumentException(option + " is at least 1, found " + found);
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
     * Opens it.
     *
     * @throws IllegalArgumentException if nothing can listen there
     */
    static Gateway open(Access access, Limits limits, Api api, Streams streams, Surroundings around) {
        SlowClients slow = new SlowClients(around.time());
        RequestHandler entrance = new RequestHandler(
                api,
                new Callers(access.tokens()),
                new RateLimits(limits.requestsPerSecond(), around.time()),
                streams,
                slow,
                around.meters());
        around.meters().show(Metric.HTTP_STREAMS, streams::size);
        WebServer server = server(access, limits, entrance, slow);
        try {
            server.start();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("cannot listen on " + access.address() + ": " + e.getMessage(), e);
        }
        Loop following = Loop.start("gateway-streams", around.time(), SECOND, streams::look);
        Loop watching = Loop.start("gateway-clients", around.time(), SECOND, () -> {
            slow.look();
            if (access.tokens() != null) {
                access.tokens().look();
            }
        });
        String url = (access.tls() == null ? "http" : "https") + "://"
                + access.address().getHostString() + ":" + server.port();
        log.info("the gateway is on {}", url);
        return new Gateway(server, streams, slow, following, watching, url);
    }

    /** What it stands on besides. */
    record Surroundings(Meters meters, Time time) {}

    private static WebServer server(Access access, Limits limits, RequestHandler entrance, SlowClients slow) {
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
                .routing(routing -> routing.any(entrance));
        if (access.tls() != null) {
            server.tls(access.tls());
        }
        return server.build();
    }

    /** What is answered to what never comes to be a request. */
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
            // what fails before the entrance fails for what came; what fails there is told there
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

    /** Where it is, as in {@code http://127.0.0.1:8080}. */
    String url() {
        return url;
    }

    /** The number of connections on which it waits for its client now, between two requests excepted. */
    int waitsFor() {
        return slow.size();
    }

    /** Whoever follows a rename is let go; requests under way may end within five seconds. */
    @Override
    public void close() {
        try (following;
                watching) {
            streams.close();
            server.stop();
        }
    }
}
