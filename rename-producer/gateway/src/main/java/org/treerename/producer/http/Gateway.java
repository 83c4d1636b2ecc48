package org.treerename.producer.http;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.http.Admission;
import org.treerename.http.Caller;
import org.treerename.http.HttpServer;
import org.treerename.http.ServerTls;
import org.treerename.http.Tokens;
import org.treerename.observe.Meters;
import org.treerename.observe.Metric;
import org.treerename.runtime.Loop;
import org.treerename.runtime.Time;

/** Runs the HTTP server of the gateway, and applies the limits. */
final class Gateway implements AutoCloseable {

    /**
     * The largest body of a request, in bytes. The limit permits the longest valid request, even if each character is
     * escaped.
     */
    static final int MAX_BODY = 256 * 1024;

    /** In bytes. The line of a list of entries contains the position of the page, with all renames in progress. */
    private static final int MAX_LINE = 64 * 1024;

    private static final Logger log = LoggerFactory.getLogger(Gateway.class);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofSeconds(5);

    /**
     * The address and the access control of the gateway.
     *
     * @param tls the settings of TLS; null for no TLS
     * @param tokens the accepted tokens; null if the gateway requires no token
     * @param acceptsEveryHost whether requests without a token may have any header {@code Host}
     */
    record Access(
            InetSocketAddress address,
            @Nullable ServerTls tls,
            @Nullable Tokens tokens,
            boolean acceptsEveryHost) {

        private Admission admission() {
            Function<String, Optional<Caller>> owners = tokens == null ? null : tokens::ownerOf;
            return acceptsEveryHost ? new Admission(null, owners) : Admission.of(address.getAddress(), owners);
        }
    }

    /**
     * The limits for the load that clients cause.
     *
     * @param connections the largest number of open connections
     * @param connectionsPerAddress the largest number of open connections from one address
     * @param requests the largest number of concurrent requests; requests that follow renames do not count, but the
     *     other requests may use their places while these are free
     * @param streams the largest number of clients that follow renames
     * @param streamsPerCaller the largest number of clients that follow renames with the name of one caller
     * @param requestsPerSecond the largest number of requests per second of each caller
     */
    record Limits(
            int connections,
            int connectionsPerAddress,
            int requests,
            int streams,
            int streamsPerCaller,
            int requestsPerSecond) {
        Limits {
            requirePositive("--http-connections", connections);
            requirePositive("--http-connections-per-address", connectionsPerAddress);
            requirePositive("--http-requests", requests);
            requirePositive("--http-streams", streams);
            requirePositive("--http-streams-per-caller", streamsPerCaller);
            requirePositive("--http-requests-per-second", requestsPerSecond);
        }

        private static void requirePositive(String option, int found) {
            if (found < 1) {
                throw new IllegalArgumentException(option + " must be at least 1, was " + found);
            }
        }
    }

    private final HttpServer server;
    private final Streams streams;
    private final Loop following;
    private final Loop watching;

    private Gateway(HttpServer server, Streams streams, Loop following, Loop watching) {
        this.server = server;
        this.streams = streams;
        this.following = following;
        this.watching = watching;
    }

    /**
     * Starts the HTTP server and the threads of the gateway.
     *
     * @throws IllegalArgumentException if the gateway cannot listen on the address
     */
    static Gateway open(Access access, Limits limits, Api api, Streams streams, Surroundings around) {
        RequestHandler handler = new RequestHandler(
                api,
                new Callers(access.admission()),
                new RateLimits(limits.requestsPerSecond(), around.time()),
                streams,
                around.meters());
        around.meters().show(Metric.HTTP_STREAMS, streams::size);
        HttpServer server = HttpServer.open(
                access.address(),
                access.tls(),
                new HttpServer.Limits(
                        MAX_BODY,
                        MAX_LINE,
                        limits.connections(),
                        limits.connectionsPerAddress(),
                        limits.requests() + limits.streams(),
                        GRACE),
                handler,
                around.time());
        Loop following = Loop.start("gateway-streams", around.time(), SECOND, streams::poll);
        Loop watching = Loop.start("gateway-tokens", around.time(), SECOND, () -> {
            if (access.tokens() != null) {
                access.tokens().poll();
            }
        });
        log.info("the gateway is on {}", server.url());
        return new Gateway(server, streams, following, watching);
    }

    /** The metrics and the clock of the gateway. */
    record Surroundings(Meters meters, Time time) {}

    /** Returns the URL, for example {@code http://127.0.0.1:8080}. */
    String url() {
        return server.url();
    }

    /** Returns why the gateway accepts no more connections; empty while it accepts them. */
    Optional<String> problem() {
        return server.problem();
    }

    /** Returns the number of open connections. */
    int connections() {
        return server.connections();
    }

    /** Stops the gateway. Ends all streams immediately. Requests in progress have five seconds to end. */
    @Override
    public void close() {
        try (following;
                watching) {
            streams.close();
            server.close();
        }
    }
}
