package org.treerename.producer.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.treerename.http.ServerTls;
import org.treerename.http.Tokens;
import org.treerename.installation.Installation;
import org.treerename.namespace.Namespace;
import org.treerename.observe.Meters;
import org.treerename.producer.SteppedTime;
import org.treerename.producer.http.Gateway.Access;
import org.treerename.producer.http.Gateway.Limits;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;

/**
 * A gateway on a free port of this machine, with renames in memory. The clock of the gateway advances only when a test
 * advances it.
 */
final class OpenGateway implements AutoCloseable {

    static final Limits LIMITS = new Limits(100, 100, 64, 20, 20, 1_000_000);

    /** The largest number of searches of one caller at the same time. */
    static final int SEARCHES = 4;

    private static final Duration SHORT = Duration.ofMillis(20);

    final InMemoryRenames renames = new InMemoryRenames();
    final Meters meters = new Meters(Installation.DEFAULT);
    final Streams streams;
    final HttpClient client = HttpClient.newHttpClient();
    private final SteppedTime clock = new SteppedTime();
    final InMemoryTrees trees = new InMemoryTrees(clock);
    private final Gateway gateway;

    /** Whether the last answer announced the end of its connection. */
    private volatile boolean hasAnnouncedEnd;

    OpenGateway() {
        this(LIMITS, null, null);
    }

    OpenGateway(Limits limits, @Nullable ServerTls tls, @Nullable Tokens tokens) {
        this(limits, tls, tokens, Map.of());
    }

    /** Opens a gateway whose file defines these namespaces. */
    OpenGateway(Map<String, Namespace> file) {
        this(LIMITS, null, null, file);
    }

    private OpenGateway(Limits limits, @Nullable ServerTls tls, @Nullable Tokens tokens, Map<String, Namespace> file) {
        Body body = new Body(file, trees::namespace);
        streams = new Streams(renames, limits.streams(), limits.streamsPerCaller());
        gateway = Gateway.open(
                new Access(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), tls, tokens, false),
                limits,
                new Api(
                        renames,
                        renames,
                        body,
                        Duration.ofMillis(300),
                        new TreeApi(trees, PageKeys.random(), SEARCHES),
                        renames),
                streams,
                new Gateway.Surroundings(meters, new TestTime(clock, new SystemTime())));
    }

    /**
     * The clock that the gateway uses in a test. A pause takes real time, so that the loops of the gateway do not spin.
     * Each pause is short, so that the gateway closes quickly.
     */
    private record TestTime(Time clock, Time real) implements Time {
        @Override
        public Instant now() {
            return clock.now();
        }

        @Override
        public long nanos() {
            return clock.nanos();
        }

        @Override
        public void pause(Duration length) {
            real.pause(SHORT);
        }
    }

    void advance(Duration length) {
        clock.advance(length);
    }

    int connections() {
        return gateway.connections();
    }

    URI at(String path) {
        return URI.create(gateway.url() + path);
    }

    HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(at(path)).timeout(Duration.ofSeconds(20));
    }

    /**
     * Sends a request. If the previous answer announced the end of its connection and this request fails, sends the
     * request again.
     */
    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        boolean mayBeClosed = hasAnnouncedEnd;
        HttpResponse<String> answer;
        try {
            answer = client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            if (!mayBeClosed || !String.valueOf(e.getMessage()).contains("received no bytes")) {
                throw e;
            }
            answer = client.send(request.build(), BodyHandlers.ofString());
        }
        hasAnnouncedEnd = answer.headers()
                .firstValue("Connection")
                .filter("close"::equalsIgnoreCase)
                .isPresent();
        return answer;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(to(path));
    }

    HttpResponse<String> delete(String path) throws IOException, InterruptedException {
        return send(to(path).DELETE());
    }

    HttpResponse<String> post(String body) throws IOException, InterruptedException {
        return send(posting(body));
    }

    HttpRequest.Builder posting(String body) {
        return to(Target.RENAMES).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
    }

    HttpRequest.Builder posting(String path, String body) {
        return to(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
    }

    HttpRequest.Builder forecasting(String body) {
        return posting(Target.FORECASTS, body);
    }

    HttpResponse<String> undo(String id, String body) throws IOException, InterruptedException {
        return send(undoing(id, body));
    }

    HttpRequest.Builder undoing(String id, String body) {
        return posting(Target.pathOf(id) + "/undo", body);
    }

    HttpResponse<String> search(String body) throws IOException, InterruptedException {
        return send(searching(body));
    }

    HttpRequest.Builder searching(String body) {
        return to("/v1/namespaces/files/search")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
    }

    /** Returns the body of a request that renames /a to /b. */
    static String renaming(String id) {
        return Json.write(Json.object()
                .put("request_id", id)
                .put("namespace", "files")
                .put("source", "/a")
                .put("destination", "/b"));
    }

    @Override
    public void close() {
        try (client;
                meters) {
            gateway.close();
        }
    }
}
