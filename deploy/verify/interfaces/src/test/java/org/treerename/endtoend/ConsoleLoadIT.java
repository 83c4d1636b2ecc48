package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.endtoend.Browser.Look;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.Waiting;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.testservers.Needs;

/** Tests the console with many renames. The system property {@code console.renames} sets the number of renames. */
@Needs({"chromium", "chromedriver"})
final class ConsoleLoadIT {

    private static final int MANY = Integer.getInteger("console.renames", 600);

    /** The maximum number of HTML elements on a page, for any number of renames. */
    private static final long MOST_ELEMENTS = 5_000;

    private static Elasticsearch elasticsearch;
    private static Services janitor;
    private static String console;

    @BeforeAll
    static void start() throws IOException {
        elasticsearch = SecondElasticsearch.withoutControlIndex();
        Tree.createIn(elasticsearch);
        // with this lease, the janitor reads the other processes only once in ten minutes
        janitor = Services.start(elasticsearch, "janitor", "org.treerename.janitor.Main", 1, List.of("--lease=1h"));
        console = ConsolePageIT.consoleOf(janitor);
    }

    @AfterAll
    static void stop() {
        janitor.close();
    }

    @Test
    void counts_and_pages_many_renames_under_way() {
        String owner = "holder-" + UUID.randomUUID();
        String namespace = Tree.createIn(elasticsearch).index().name();
        List<String> ids = writeEntries(owner, namespace);
        try (Browser browser = Browser.open(Look.LIGHT)) {
            browser.go(console);
            browser.awaitText("#counts", String.format(Locale.ENGLISH, "%,d", MANY), "prepared");
            browser.type("#renames [name=namespace]", namespace);
            browser.awaitText("#renames tbody", ids.getFirst());
            Awaitility.await("a page of 100 renames")
                    .atMost(Log.PATIENCE)
                    .until(() -> browser.count("#renames tbody tr") == 100);
            for (int page = 1; page < 5; page++) {
                browser.press("#renames .pager button:last-child");
                browser.awaitText("#renames tbody", ids.get(100 * page));
            }
            assertThat((Long) browser.run("return document.querySelectorAll('*').length"))
                    .isLessThan(MOST_ELEMENTS);
            assertThat(browser.count("#renames tbody tr")).isEqualTo(100);
            browser.press("#renames .pager button:first-child");
            browser.awaitText("#renames tbody", ids.getFirst());
            assertThat(browser.complaints()).isEmpty();
        } finally {
            elasticsearch.post(
                    "/tree-rename-control/_delete_by_query?refresh=true&conflicts=proceed",
                    "{\"query\":{\"term\":{\"owner\":\"" + owner + "\"}}}");
            elasticsearch.send("DELETE", "/tree-rename-control/_doc/process:" + owner, "");
        }
    }

    /**
     * Writes the document of a process whose lease is longer than this test, and journal entries of this process.
     * Returns the request ids in the order of the requests.
     */
    private static List<String> writeEntries(String owner, String namespace) {
        Instant begun = Instant.now();
        JsonNode live = elasticsearch.control("process").stream()
                .filter(process -> process.path("state").asText().equals("live"))
                .findFirst()
                .orElseThrow();
        ObjectNode process = live.deepCopy();
        process.put("process_id", owner).put("lease_millis", Duration.ofHours(1).toMillis());
        elasticsearch.put("/tree-rename-control/_doc/process:" + owner + "?refresh=true", process.toString());
        ObjectNode entry = entryOf(owner, namespace);
        List<String> ids = new ArrayList<>();
        StringBuilder bulk = new StringBuilder();
        for (int i = 0; i < MANY; i++) {
            String id = "many-%05d-%s".formatted(i, owner);
            ids.add(id);
            entry.put("request_id", id).put("requested_at", begun.plusMillis(i).toString());
            bulk.append("{\"create\":{\"_id\":\"rename:")
                    .append(id)
                    .append("\"}}\n")
                    .append(entry)
                    .append('\n');
        }
        assertThat(elasticsearch
                        .post("/tree-rename-control/_bulk?refresh=true", bulk.toString())
                        .path("errors")
                        .asBoolean(true))
                .isFalse();
        return ids;
    }

    /** Returns the stored form of a journal entry whose rename waits for locks. */
    private static ObjectNode entryOf(String owner, String namespace) {
        String id = "first-" + owner;
        RenameRequest request = new RenameRequest(id, namespace, "/a", "/b", OnExisting.FAIL, "this test");
        Delivery delivery = new Delivery(request, "digest", new RecordPosition("rename.requests", 0, 0), Instant.now());
        Ownership ownership = new Ownership(owner, 1, "hold-" + owner);
        JournalEntry waits = JournalEntry.prepared(delivery, ownership)
                .attempted(
                        ownership,
                        new Waiting(3, "another", "/a is held exclusively by request another of process " + owner));
        try (Elastic elastic = Elastic.connect(Elastic.Settings.of(elasticsearch.url(), Duration.ofSeconds(30)))) {
            new ElasticJournal(new ControlIndex(elastic)).create(JournalStep.ATTEMPT, waits);
        }
        ObjectNode stored = elasticsearch.entry(id).orElseThrow().deepCopy();
        elasticsearch.send("DELETE", "/tree-rename-control/_doc/rename:" + id + "?refresh=true", "");
        return stored;
    }
}
