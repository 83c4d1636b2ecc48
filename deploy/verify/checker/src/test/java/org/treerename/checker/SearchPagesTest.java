package org.treerename.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a read returns all documents or fails. A stub HTTP server returns prepared pages instead of Elasticsearch.
 */
class SearchPagesTest {

    private static final String HIT = """
            {"_index":"files","_id":"1","_routing":"r","_seq_no":3,"_primary_term":1,"sort":[1],
             "_source":{"path":"/a","parent":"/","name":"a","type":"directory"}}""";

    private final Queue<String> pages = new ArrayDeque<>();
    private HttpServer server;
    private ElasticsearchHttp http;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            String answer = path.endsWith("_refresh")
                    ? "{\"_shards\":{\"failed\":0}}"
                    : path.endsWith("_search") ? String.valueOf(pages.poll()) : "{\"id\":\"pit\"}";
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        http = new ElasticsearchHttp("http://localhost:" + server.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        http.close();
        server.stop(0);
    }

    private static String page(boolean timedOut, int failed, int total, String... hits) {
        return "{\"pit_id\":\"p\",\"timed_out\":" + timedOut + ",\"_shards\":{\"failed\":" + failed
                + "},\"hits\":{\"total\":{\"value\":" + total + "},\"hits\":[" + String.join(",", hits) + "]}}";
    }

    @Test
    void reads_all_pages() {
        pages.addAll(List.of(page(false, 0, 1, HIT), page(false, 0, 1)));

        TreeDump dump = TreeDump.read(http, Trees.FILES);

        String digest = dump.stored().getFirst().document().digest();
        assertThat(dump.stored())
                .containsExactly(
                        new TreeDump.StoredDocument(new TreeDocument("files/1", true, digest, "r"), "/a", "/", "a", 3));
    }

    @Test
    void a_failed_shard_fails_the_read() {
        pages.add(page(false, 1, 1, HIT));

        assertThatThrownBy(() -> TreeDump.read(http, Trees.FILES)).hasMessageContaining("failed shard");
    }

    @Test
    void a_page_that_timed_out_fails_the_read() {
        pages.add(page(true, 0, 1, HIT));

        assertThatThrownBy(() -> TreeDump.read(http, Trees.FILES)).hasMessageContaining("timed out");
    }

    @Test
    void fewer_documents_than_the_total_fail_the_read() {
        pages.addAll(List.of(page(false, 0, 2, HIT), page(false, 0, 2)));

        assertThatThrownBy(() -> TreeDump.read(http, Trees.FILES)).hasMessage("expected 2 documents of files, found 1");
    }
}
