package org.treerename.janitor.console;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treerename.http.Admission;
import org.treerename.http.Caller;
import org.treerename.http.Right;
import org.treerename.http.ServerTls;
import org.treerename.installation.Installation;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.runtime.Loop;
import org.treerename.runtime.SystemTime;
import org.treerename.store.NoAnswerException;

/** A console on a free port of this machine, with stores in memory. */
final class OpenConsole implements AutoCloseable {

    static final String TOKEN = "0123456789abcdef";

    /** A token that has only the right to read. */
    static final String READER = "fedcba9876543210";

    final Stage stage = new Stage();
    final List<Finding> findings = new ArrayList<>();

    /** The executed actions, for example {@code fence worker-1 by me}. */
    final List<String> done = new ArrayList<>();

    final HttpClient client = HttpClient.newHttpClient();
    boolean answers = true;

    private final QueryCache cache;
    private final Loop reading;
    private final Loop auditing;
    private final ConsoleServer server;

    OpenConsole(boolean takesTokens) {
        this(takesTokens, null);
    }

    OpenConsole(boolean takesTokens, @Nullable ServerTls tls) {
        SystemTime time = new SystemTime();
        cache = new QueryCache(time, new Views(stage.sources(), time));
        AuditJob audit = new AuditJob(() -> List.copyOf(findings), time);
        reading = Loop.start("console", time, Duration.ofMillis(20), cache::poll);
        auditing = Loop.start("console-audit", time, Duration.ofMillis(20), audit::poll);
        Function<String, Optional<Caller>> tokens = token -> switch (token) {
            case TOKEN -> Optional.of(Caller.withAllRights("me"));
            case READER -> Optional.of(new Caller("reader", Set.of(new Caller.Grant(Right.READ, null))));
            default -> Optional.empty();
        };
        server = ConsoleServer.open(
                new Api(
                        new Pages(Installation.DEFAULT),
                        new Api.Boards(cache, cache, audit),
                        new Operator() {
                            @Override
                            public Answer fence(String processId, String by) {
                                return execute("fence " + processId, by);
                            }

                            @Override
                            public Answer replay(String place, String by) {
                                return execute("replay " + place, by);
                            }

                            @Override
                            public Answer cancel(String requestId, String by) {
                                return execute("cancel " + requestId, by);
                            }

                            @Override
                            public Answer retryParked(String requestId) {
                                return execute("retry-parked " + requestId);
                            }

                            @Override
                            public Answer abandon(String requestId, String by) {
                                return execute("abandon " + requestId, by);
                            }

                            @Override
                            public Answer pause(String by) {
                                return execute("pause by " + by);
                            }

                            @Override
                            public Answer unpause(String since) {
                                return execute("unpause " + since);
                            }
                        },
                        Admission.of(InetAddress.getLoopbackAddress(), takesTokens ? tokens : null)),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                tls,
                time);
    }

    private Operator.Answer execute(String action, String by) {
        return execute(action + " by " + by);
    }

    private Operator.Answer execute(String action) {
        if (!answers) {
            throw new NoAnswerException("not there", null);
        }
        done.add(action);
        return new Operator.Answer(true, "it is done");
    }

    URI at(String path) {
        return URI.create(server.url()).resolve(path);
    }

    HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(at(path)).timeout(Duration.ofSeconds(20));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(to(path));
    }

    HttpRequest.Builder posting(String path, String body) {
        return to(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
    }

    @Override
    public void close() {
        cache.close();
        try (client;
                auditing;
                reading) {
            server.close();
        }
    }
}
