package org.treerename.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.http.DirectHandler;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.DirectHandler.TransportResponse;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpPrologue;
import io.helidon.http.RequestException;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionListener;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.runtime.Loop;
import org.treerename.runtime.Time;

/**
 * A server for HTTP/1.1 with limits. Each request runs on a virtual thread. Only this class, {@link Exchange} and
 * {@link ServerTls} use Helidon, the HTTP library.
 *
 * <p>{@link ManagementServer} uses the server of the JDK instead, because each worker has a management server. With the
 * server of the JDK, a process that contains only a management server needs 111 MB of memory. With Helidon, this
 * process needs 140 to 148 MB, and its start takes a third longer. Helidon would also add 40 libraries to the worker.
 */
public final class HttpServer implements AutoCloseable {

    /**
     * The longest time from the accept of a connection to its first line, including the handshake of TLS. The same limit
     * applies to the time from the first line of a request to the end of its headers, and from there to the end of the
     * body.
     */
    public static final Duration MAX_SENDING = Duration.ofSeconds(10);

    /** The longest time that a client may need to read an answer, or one part of an answer. */
    public static final Duration MAX_TAKING = Duration.ofSeconds(30);

    /** The longest time in which a connection receives no byte. This limit also applies between two requests. */
    public static final Duration MAX_IDLE = Duration.ofSeconds(30);

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** The largest size in bytes of all headers of a request. */
    public static final int MAX_HEADERS = 16 * 1024;

    /**
     * The limits of a server.
     *
     * @param body the largest size of a body in bytes
     * @param line the largest size of the first line of a request in bytes
     * @param connections the largest number of open connections
     * @param connectionsPerAddress the largest number of open connections from one address
     * @param requests the largest number of concurrent requests
     * @param grace the longest time for which a stopping server waits for requests in progress
     */
    public record Limits(
            int body, int line, int connections, int connectionsPerAddress, int requests, Duration grace) {}

    /** Answers the requests that a server receives. Any thread may call this interface. */
    public interface Site {

        /** Returns the headers that the server adds to every response. */
        Map<String, String> headers();

        /** Answers one request. */
        void handle(Exchange exchange) throws InterruptedException;

        /**
         * Returns the response to input that is not a valid HTTP request, or that exceeds a limit.
         *
         * @param status the status that the library suggests
         * @param isInternal whether the library reports an internal error while it parses the input
         */
        Answer refused(int status, boolean isInternal);
    }

    private final Site site;
    private final @Nullable ServerTls tls;
    private final Connections connections;
    private final WebServer server;
    private final Loop watching;
    private final String url;

    private HttpServer(InetSocketAddress address, @Nullable ServerTls tls, Limits limits, Site site, Time time) {
        this.site = site;
        this.tls = tls;
        this.connections = new Connections(limits.connections(), limits.connectionsPerAddress(), time);
        this.server = server(address, tls, limits);
        server.start();
        // the library logs why it cannot listen, and does not throw
        if (!server.isRunning()) {
            throw new IllegalArgumentException("cannot listen on " + address.getHostString() + ":" + address.getPort()
                    + "; another program uses this port, or this machine does not have this address");
        }
        this.watching = Loop.start("http-connections", time, SECOND, connections::poll);
        this.url = (tls == null ? "http" : "https") + "://" + address.getHostString() + ":" + server.port();
    }

    /**
     * Creates a server that listens on an address.
     *
     * @param address the address to listen on; port 0 selects a free port
     * @param tls the TLS settings; null for no TLS
     * @throws IllegalArgumentException if the server cannot listen on the address
     */
    public static HttpServer open(
            InetSocketAddress address, @Nullable ServerTls tls, Limits limits, Site site, Time time) {
        return new HttpServer(address, tls, limits, site, time);
    }

    private WebServer server(InetSocketAddress address, @Nullable ServerTls tls, Limits limits) {
        DirectHandlers.Builder refusals = DirectHandlers.builder();
        Arrays.stream(EventType.values()).forEach(type -> refusals.addHandler(type, this::refused));
        var builder = WebServer.builder()
                .featuresDiscoverServices(false)
                .shutdownHook(false)
                .address(address.getAddress())
                .port(address.getPort())
                .maxPayloadSize(limits.body())
                .maxTcpConnections(limits.connections())
                .maxConcurrentRequests(limits.requests())
                .idleConnectionTimeout(MAX_IDLE)
                .idleConnectionPeriod(MAX_IDLE.dividedBy(3))
                .connectionOptions(options -> options.readTimeout(MAX_IDLE))
                .shutdownGracePeriod(limits.grace())
                .directHandlers(refusals.build())
                .protocolsDiscoverServices(false)
                .addConnectionSelector(new Selector(connections, http(limits)))
                .routing(routing -> routing.any(
                        (request, response) -> handle(new Exchange(request, response, site.headers(), connections))));
        if (tls != null) {
            builder.tls(tls.tls());
        }
        return builder.build();
    }

    private ServerConnectionSelector http(Limits limits) {
        Http1Config config = Http1Config.builder()
                .maxHeadersSize(MAX_HEADERS)
                .maxPrologueLength(limits.line())
                .sendKeepAliveHeader(false)
                .addReceiveListener(new Http1ConnectionListener() {
                    @Override
                    public void prologue(ConnectionContext context, HttpPrologue prologue) {
                        connections.begin(MAX_SENDING);
                    }
                })
                .build();
        return Http1ConnectionSelector.builder().config(config).build();
    }

    /**
     * Registers each connection in its own thread, before the handshake of TLS and before the first byte.
     *
     * @param http creates the connections
     */
    private record Selector(Connections connections, ServerConnectionSelector http)
            implements ServerConnectionSelector {

        @Override
        public int bytesToIdentifyConnection() {
            return http.bytesToIdentifyConnection();
        }

        @Override
        public Support supports(BufferData data) {
            return http.supports(data);
        }

        @Override
        public Set<String> supportedApplicationProtocols() {
            return http.supportedApplicationProtocols();
        }

        @Override
        public ServerConnection connection(ConnectionContext context) {
            if (!connections.accept(context.remotePeer().address(), MAX_SENDING)) {
                throw new CloseConnectionException("too many connections from this address");
            }
            return http.connection(context);
        }
    }

    private void handle(Exchange exchange) throws InterruptedException {
        connections.done();
        try {
            if (tls == null || tls.admits(exchange.certificateName())) {
                site.handle(exchange);
            } else {
                exchange.sendLast(site.refused(Answer.FORBIDDEN, false));
            }
        } catch (RequestException e) {
            exchange.sendLast(site.refused(e.status().code(), false));
        }
        exchange.end();
    }

    private TransportResponse refused(
            DirectHandler.TransportRequest request,
            EventType type,
            Status status,
            ServerResponseHeaders headers,
            @Nullable String message) {
        Answer answer = site.refused(status.code(), type == EventType.INTERNAL_ERROR);
        TransportResponse.Builder response = TransportResponse.builder()
                .status(Status.create(answer.status()))
                .header(HeaderNames.CONTENT_TYPE, answer.type())
                .keepAlive(false)
                .entity(answer.bytes());
        site.headers().forEach((name, value) -> response.header(HeaderNames.create(name), value));
        answer.headers().forEach((name, value) -> response.header(HeaderNames.create(name), value));
        return response.build();
    }

    /** Returns the URL, for example {@code http://127.0.0.1:8080}. */
    public String url() {
        return url;
    }

    /** Returns why the server accepts no more connections; empty while it accepts them. */
    public Optional<String> problem() {
        return connections.problem();
    }

    /** Returns the number of open connections. */
    public int connections() {
        return connections.size();
    }

    @Override
    public void close() {
        try (watching) {
            server.stop();
        }
    }
}
