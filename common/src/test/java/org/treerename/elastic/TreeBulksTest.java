package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.treerename.path.Namespace;
import org.treerename.rename.Document;
import org.treerename.rename.RawJson;
import org.treerename.rename.TreeStore.Move;
import org.treerename.rename.TreeStore.Written;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;

/**
 * Of a page that leaves in two bulks, against a server that answers each as its documents say. Their names are of one length,
 * so that each bulk has two of them.
 */
class TreeBulksTest {

    private static final String TEXT = "x".repeat(150 * 1024);

    private final HttpServer server = server();
    private final Elastic elastic = Elastic.connect(
            Elastic.Settings.of("http://127.0.0.1:" + server.getAddress().getPort(), Duration.ofSeconds(10)));
    private final TreeBulks bulks = new TreeBulks(elastic, 4 * 1024 * 1024);

    private static HttpServer server() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void start() {
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", TreeBulksTest::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        elastic.close();
        server.stop(0);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        int status = body.contains("silent") ? 503 : body.contains("refuse") ? 413 : 200;
        String items = body.lines()
                .filter(line -> line.startsWith("{\"index\""))
                .map(line -> "{\"index\":{\"status\":200}}")
                .collect(Collectors.joining(",", "{\"items\":[", "]}"));
        byte[] answer = items.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, answer.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(answer);
        }
    }

    private List<Written> move(String... names) {
        return bulks.move(
                Namespace.ofFiles("files", "files-1"),
                IntStream.range(0, names.length)
                        .mapToObj(i -> new Move(
                                new Document(
                                        new Document.Ref("files-1", "d" + i, null, new Version(i, 1)),
                                        "/a/" + names[i],
                                        RawJson.of("{\"path\":\"/a/%s\",\"text\":\"%s\"}".formatted(names[i], TEXT))),
                                "/b/" + names[i]))
                        .toList());
    }

    @Test
    void what_was_answered_counts_though_the_other_bulk_got_no_answer() {
        assertThat(move("1-okay", "2-okay", "silent", "4-okay"))
                .<Class<?>>extracting(Object::getClass)
                .containsExactly(Written.Done.class, Written.Done.class, Written.Unknown.class, Written.Unknown.class);
    }

    @Test
    void what_was_answered_counts_though_the_other_bulk_was_refused() {
        assertThat(move("refuse", "2-okay", "3-okay", "4-okay"))
                .<Class<?>>extracting(Object::getClass)
                .containsExactly(Written.Refused.class, Written.Refused.class, Written.Done.class, Written.Done.class);
    }

    @Test
    void nothing_is_told_where_no_bulk_was_answered() {
        assertThatThrownBy(() -> move("silent", "2-okay", "3-okay", "silent")).isInstanceOf(NoAnswerException.class);
        assertThatThrownBy(() -> move("refuse", "2-okay", "3-okay", "refuse")).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> move("silent")).isInstanceOf(NoAnswerException.class);
        assertThatThrownBy(() -> move("silent", "2-okay", "3-okay", "refuse")).isInstanceOf(NoAnswerException.class);
    }
}
