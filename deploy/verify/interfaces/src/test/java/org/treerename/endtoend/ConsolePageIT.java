package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.treerename.endtoend.Browser.Look;
import org.treerename.testservers.Needs;

/** Tests the console in a real browser, with real services. */
@Needs({"chromium", "chromedriver"})
final class ConsolePageIT {

    private static final Pattern CONSOLE = Pattern.compile("the console is on (http://\\S+)");
    private static final String LEASE = "--lease=3s";
    private static final String TOKEN = "a-token-of-this-test";
    private static final String WORKER = "org.treerename.worker.Main";
    private static final List<String> SECTIONS =
            List.of("renames", "activity", "processes", "locks", "outcomes", "take-overs", "dead-letters", "audit");
    private static final int FILES = 6_000;

    @TempDir
    private static Path folder;

    private static Elasticsearch elasticsearch;
    private static Log log;
    private static Services janitor;
    private static String console;

    @BeforeAll
    static void start() throws IOException {
        elasticsearch = SecondElasticsearch.withoutControlIndex();
        Tree.createIn(elasticsearch);
        log = Log.open();
        Path tokens = Files.writeString(folder.resolve("tokens"), "me:" + TOKEN + ":operate\n");
        janitor = Services.start(
                elasticsearch,
                "janitor",
                "org.treerename.janitor.Main",
                1,
                List.of(LEASE, "--page-size=100", "--parked-every=1h", "--console-token-file=" + tokens));
        console = consoleOf(janitor);
    }

    /** Returns the URL of the janitor's console. */
    static String consoleOf(Services janitor) throws IOException {
        Matcher logged = CONSOLE.matcher(Files.readString(janitor.logs().getFirst()));
        assertThat(logged.find()).isTrue();
        return logged.group(1);
    }

    @AfterAll
    static void stop() {
        janitor.close();
        log.close();
    }

    private static Services worker() {
        return Services.start(
                elasticsearch,
                "worker",
                WORKER,
                1,
                List.of(Group.atTheEndOfTheLog().option(), LEASE, "--page-size=100", "--documents-per-second=40"));
    }

    private static String rowOf(String section, String key) {
        return "#" + section + " tr[data-key=\"" + key + "\"]";
    }

    @Test
    void shows_renames_locks_and_processes_while_they_change_and_a_worker_dies() {
        Tree tree = Tree.createIn(elasticsearch).directories("/projects", "/projects/alpha");
        for (int i = 0; i < FILES; i++) {
            tree.files("/projects/alpha/file-" + i);
        }
        tree.index();
        ObjectNode moves = Requests.rename(tree.name(), "/projects/alpha", "/projects/beta");
        ObjectNode waits = Requests.rename(tree.name(), "/projects/alpha/file-1", "/projects/file-1");
        String longId = Requests.id(moves);
        String waitsId = Requests.id(waits);
        try (Services worker = worker();
                Browser browser = Browser.open(Look.LIGHT);
                Browser dark = Browser.open(Look.DARK);
                Browser phone = Browser.open(Look.PHONE)) {
            String workerId = worker.ids().iterator().next();
            browser.go(console);
            dark.go(console + "#/locks");
            phone.go(console);
            log.send(0, moves.toString());
            browser.awaitText(rowOf("renames", longId), "moving", "of 6,001 documents", "per second", "left", workerId);
            log.send(1, waits.toString());
            browser.awaitText(rowOf("renames", waitsId), "prepared", "refused", "is held exclusively");
            long before = moved(browser, longId);
            Awaitility.await("the progress bar moves without a reload")
                    .atMost(Log.PATIENCE)
                    .until(() -> moved(browser, longId) > before);
            browser.photograph("console-light");
            phone.awaitText(rowOf("renames", longId), "of 6,001 documents");
            phone.photograph("console-phone");
            browser.keys(Keys.TAB);
            assertThat(browser.run("return document.activeElement.className")).isEqualTo("skip");
            assertThat(browser.run("return getComputedStyle(document.activeElement).outlineStyle"))
                    .isEqualTo("solid");

            dark.awaitText("#locks .tree", "/projects", "/alpha", "held exclusive", "waiting", waitsId);
            dark.awaitText("#locks .paths .paths", "/file-1", "claimed exclusive");
            assertThat(dark.run("return document.querySelector('#locks .waits').innerText")
                            .toString())
                    .contains(waitsId, "waits for", longId);
            dark.photograph("console-dark");

            // use only the keyboard to open the view of a request and a section
            browser.press(rowOf("renames", longId) + " a.id");
            browser.awaitText("#request", longId, "/projects/alpha", "/projects/beta", tree.name(), workerId);
            browser.awaitText("#request .state", "moving", "of 6,001 documents", "per second");
            assertThat(browser.unreadable()).isEmpty();
            browser.run("location.reload()");
            browser.awaitText("#request .state", "moving", "of 6,001 documents");
            dark.press("nav a[href=\"#/activity\"]");
            dark.awaitText("#plot-waiting", "1 request now");
            dark.awaitText("#plot-oldest", "s now, at most");
            dark.press("#plot-waiting summary");
            dark.awaitText("#plot-waiting tbody", "1");
            assertThat(dark.run("return document.querySelector('#plot-waiting path').getBBox().y + 50"
                            + " < document.querySelector('#plot-waiting .grid').y1.baseVal.value"))
                    .as("a line of the waiting requests above zero")
                    .isEqualTo(true);
            dark.press("nav a[href=\"#/locks\"]");
            dark.press("#locks .waits a.id");
            dark.awaitText("#request", waitsId, "prepared", "is held exclusively");
            dark.press("#request dd a.id");
            dark.awaitText("#request .state", "moving");
            dark.awaitText("#request", longId);
            browser.press("nav a[href=\"#/processes\"]");
            browser.awaitText(rowOf("processes", workerId), "live", "beating", "worker");
            worker.processes().getFirst().kill();
            browser.awaitText(rowOf("processes", workerId), "fenced");
            browser.press("nav a[href=\"#/take-overs\"]");
            browser.awaitText(
                    "#take-overs li[data-key=\"" + longId + "\"]",
                    workerId + " committed the rename at",
                    "was fenced, and janitor-",
                    "took over the rename");
            assertThat(log.outcome(longId).path("status").asText()).isEqualTo("completed");
            browser.awaitText("#take-overs li[data-key=\"" + longId + "\"]", "The rename ended at", "after the commit");
            browser.photograph("console-take-over");

            browser.press("nav a[href=\"#/outcomes\"]");
            browser.awaitText(rowOf("outcomes", longId), "completed", "renamed");
            browser.type("#outcomes [name=text]", "no such text anywhere");
            browser.keys(Keys.ENTER);
            browser.awaitText("#outcomes [data-note]", "No renames found");
            browser.type("#outcomes [name=text]", "PROJECTS/ALPHA");
            browser.keys(Keys.ENTER);
            browser.awaitText(rowOf("outcomes", longId), "completed");

            browser.press("nav a[href=\"#/activity\"]");
            browser.awaitText("#plot-ended", "completed", "in one minute");
            assertThat(completed(browser)).isPositive();
            assertThat(browser.run("return [...document.querySelectorAll('#plot-ended rect.completed')]"
                            + ".some((bar) => bar.getBoundingClientRect().height > 10)"))
                    .as("a visible bar of completed renames")
                    .isEqualTo(true);
            assertThat(browser.run("return document.getElementById(document.querySelector('#plot-ended svg')"
                                    + ".getAttribute('aria-labelledby')).textContent")
                            .toString())
                    .contains("Ended renames per minute", "completed");
            browser.press("#plot-ended summary");
            browser.awaitText("#plot-ended table", "completed", "rejected", "failed", "cancelled");
            browser.photograph("console-activity");

            browser.press("nav a[href=\"#/audit\"]");
            browser.press("#audit-button");
            browser.awaitText("#audit [data-note]", "Audited at");
            List.of(browser, dark, phone).forEach(ConsolePageIT::assertReadable);
            assertThat(browser.complaints()).isEmpty();
            assertThat(dark.complaints()).isEmpty();
            assertThat(phone.complaints()).isEmpty();
        }
    }

    /** Returns the number of completed renames that the caption of the plot shows. */
    private static int completed(Browser browser) {
        Matcher words = Pattern.compile("(\\d+) completed").matcher(browser.text("#plot-ended figcaption"));
        assertThat(words.find()).isTrue();
        return Integer.parseInt(words.group(1));
    }

    private static long moved(Browser browser, String requestId) {
        Object value = browser.run(
                "return document.querySelector(arguments[0])?.value ?? 0", rowOf("renames", requestId) + " progress");
        return ((Number) value).longValue();
    }

    /** Asserts that every section is readable and reachable for all users. */
    private static void assertReadable(Browser browser) {
        for (String section : SECTIONS) {
            browser.press("nav a[href=\"#/" + section + "\"]");
            Awaitility.await(section)
                    .atMost(Log.PATIENCE)
                    .until(() -> browser.element("#" + section).isDisplayed());
            assertThat(browser.unreadable()).as(section).isEmpty();
        }
    }

    @Test
    void cancels_fences_and_replays_with_a_token_after_a_confirmation() {
        Tree tree = Tree.createIn(elasticsearch).directories("/a");
        for (int i = 0; i < FILES / 3; i++) {
            tree.files("/a/" + i);
        }
        tree.index();
        ObjectNode moves = Requests.rename(tree.name(), "/a", "/b");
        ObjectNode waits = Requests.rename(tree.name(), "/a/1", "/c");
        byte[] bad = "{\"source\":".getBytes(StandardCharsets.UTF_8);
        try (Services worker = worker();
                Browser browser = Browser.open(Look.LIGHT)) {
            String workerId = worker.ids().iterator().next();
            String place = "0@" + log.deadLetter(log.send(0, null, bad)).offset();
            browser.go(console + "#/processes");
            browser.awaitText(rowOf("processes", workerId), "beating");
            assertThat(browser.count("#processes button"))
                    .as("number of buttons without a token")
                    .isZero();

            log.send(0, moves.toString());
            browser.press("nav a[href=\"#/renames\"]");
            browser.awaitText(rowOf("renames", Requests.id(moves)), "moving");
            log.send(1, waits.toString());
            enter(browser, TOKEN);
            browser.awaitText(rowOf("renames", Requests.id(waits)), "prepared", "Cancel");
            browser.press(rowOf("renames", Requests.id(waits)) + " button.danger");
            browser.awaitText("#confirm", "Cancel this rename?", Requests.id(waits));
            browser.press("#confirm button[value=yes]");
            browser.awaitText("#done", Requests.id(waits) + " is cancelled");
            assertThat(log.outcome(Requests.id(waits)).path("status").asText()).isEqualTo("cancelled");
            browser.press("#token-button");
            browser.awaitText("#token-button", "Enter a token");

            browser.press("nav a[href=\"#/processes\"]");
            enter(browser, "a-token-that-is-not-taken");
            browser.press(rowOf("processes", workerId) + " button");
            browser.awaitText("#confirm", "Fence this process?", workerId);
            browser.press("#confirm button[value=yes]");
            browser.awaitText("#done", "A valid token is required");
            assertThat(Services.state(elasticsearch, workerId)).isEqualTo("live");

            browser.press("#token-button");
            browser.awaitText("#token-button", "Enter a token");
            enter(browser, TOKEN);
            browser.press(rowOf("processes", workerId) + " button");
            browser.awaitText("#confirm", workerId);
            browser.press("#confirm button[value=no]");
            assertThat(Services.state(elasticsearch, workerId)).isEqualTo("live");
            browser.press(rowOf("processes", workerId) + " button");
            browser.press("#confirm button[value=yes]");
            browser.awaitText(rowOf("processes", workerId), "fenced");
            assertThat(Services.state(elasticsearch, workerId)).isEqualTo("fenced");

            browser.press("nav a[href=\"#/dead-letters\"]");
            browser.awaitText(rowOf("dead-letters", place), "not_json", "no usable id");
            browser.press(rowOf("dead-letters", place) + " summary");
            browser.awaitText(rowOf("dead-letters", place) + " pre", "{\"source\":");
            browser.press(rowOf("dead-letters", place) + " button");
            browser.press("#confirm button[value=yes]");
            browser.awaitText("#done", place + " cannot be replayed", "not_json");
        }
    }

    @Test
    void retries_a_parked_rename_with_a_token_after_a_confirmation() throws IOException {
        Tree tree = Tree.createIn(elasticsearch).directories("/a").files("/a/f").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        String requestId = Requests.id(request);
        String retry = rowOf("renames", requestId) + " [data-focus=Retry]";
        elasticsearch.put("/" + tree.name() + "/_settings", "{\"index.blocks.write\": true}");
        try (Services worker = worker();
                Browser browser = Browser.open(Look.LIGHT)) {
            assertThat(worker.ids()).hasSize(1);
            browser.go(console);
            log.send(0, request.toString());
            browser.awaitText(rowOf("renames", requestId), "parked");
            assertThat(browser.count(retry)).as("buttons without a token").isZero();

            enter(browser, TOKEN);
            browser.press(retry);
            browser.awaitText("#confirm", "Retry this rename now?", requestId);
            browser.press("#confirm button[value=no]");
            assertThat(Files.readString(janitor.logs().getFirst())).doesNotContain(requestId);
            browser.press(retry);
            browser.press("#confirm button[value=yes]");
            browser.awaitText("#done", requestId + " is parked: ", "Correct the cause, and try again");

            elasticsearch.put("/" + tree.name() + "/_settings", "{\"index.blocks.write\": null}");
            browser.press(retry);
            browser.press("#confirm button[value=yes]");
            browser.awaitText("#done", requestId + " is closed: completed");
            assertThat(log.outcome(requestId).path("status").asText()).isEqualTo("completed");
            assertThat(tree.paths().values()).containsExactly("/b", "/b/f");
            assertThat(Files.readString(janitor.logs().getFirst()))
                    .contains("me requests retry-parked of " + requestId);
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void pauses_the_workers_and_ends_the_pause_with_a_token_after_a_confirmation() throws IOException {
        Tree tree = Tree.createIn(elasticsearch).directories("/a").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        String pause = "#processes .workers button";
        try (Services worker = worker();
                Browser browser = Browser.open(Look.LIGHT)) {
            String workerId = worker.ids().iterator().next();
            browser.go(console + "#/processes");
            browser.awaitText("#processes .workers", "not paused");
            assertThat(browser.count(pause)).as("buttons without a token").isZero();

            enter(browser, TOKEN);
            browser.press(pause);
            browser.awaitText("#confirm", "Pause all workers?");
            browser.press("#confirm button[value=no]");
            assertThat(elasticsearch.control("pause")).isEmpty();
            browser.press(pause);
            browser.press("#confirm button[value=yes]");
            browser.awaitText("#done", "the workers are paused since", "by me");
            browser.awaitText("#pause", "Workers are paused since", "by me", "They begin no new renames");
            browser.awaitText("#processes .workers", "paused since", "by me");
            assertThat(browser.unreadable()).isEmpty();

            awaitHeartbeats(workerId, 2);
            log.send(0, request.toString());
            awaitHeartbeats(workerId, 2);
            assertThat(elasticsearch.entry(Requests.id(request)))
                    .as("the entry of a request during the pause")
                    .isEmpty();

            browser.press(pause);
            browser.awaitText("#confirm", "End the pause?", "by me");
            browser.press("#confirm button[value=yes]");
            browser.awaitText("#done", "the workers continue");
            browser.awaitText("#processes .workers", "not paused");
            assertThat(browser.element("#pause").isDisplayed()).isFalse();
            assertThat(log.outcome(Requests.id(request)).path("status").asText())
                    .isEqualTo("completed");
            assertThat(Files.readString(janitor.logs().getFirst()))
                    .contains("me requests pause of all workers", "me requests unpause of ");
            assertThat(browser.complaints()).isEmpty();
        } finally {
            elasticsearch.send("DELETE", "/tree-rename-control/_doc/pause:workers?refresh=true", "");
        }
    }

    @Test
    void shows_that_the_request_of_a_link_does_not_exist() {
        try (Browser browser = Browser.open(Look.LIGHT)) {
            browser.go(console + "#request=no-such-request");
            browser.awaitText("#request", "no-such-request", "Request not found", "the journal has no entry");
            browser.run("location.hash = '#request=' + 'x'.repeat(201)");
            browser.awaitText("#request [data-note]", "must have 1 to 200 bytes");
            browser.run("location.hash = '#request=%zz'");
            browser.awaitText("#request", "%zz", "Request not found", "the journal has no entry");
            browser.run("location.hash = '#request='");
            browser.awaitText("#renames-title", "Renames under way");
            assertThat(browser.unreadable()).isEmpty();
            assertThat(browser.complaints()).isEmpty();
        }
    }

    private static void awaitHeartbeats(String processId, long beats) {
        long until = heartbeat(processId) + beats;
        Awaitility.await("heartbeats of " + processId).atMost(Log.PATIENCE).until(() -> heartbeat(processId) >= until);
    }

    private static long heartbeat(String processId) {
        return elasticsearch.control("process").stream()
                .filter(process -> process.path("process_id").asText().equals(processId))
                .findFirst()
                .orElseThrow()
                .path("heartbeat")
                .asLong();
    }

    private static void enter(Browser browser, String token) {
        browser.press("#token-button");
        browser.type("#token", token);
        browser.keys(Keys.ENTER);
        browser.awaitText("#token-button", "Forget the token");
    }

    @Test
    void hostile_paths_and_ids_are_shown_as_plain_text() {
        String markup = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>";
        String turned = "/\u202egnp.exe\u2066\u200b";
        String longest = "/" + "x".repeat(4_095);
        Tree tree = Tree.createIn(elasticsearch).directories("/a").index();
        List<ObjectNode> requests = List.of(
                Requests.rename(tree.name(), "/" + markup, "/b").put("request_id", markup + UUID.randomUUID()),
                Requests.rename(tree.name(), turned, "/\u05d0\u05d1/c").put("requested_by", markup + turned),
                Requests.rename(tree.name(), longest, "/\"'`{{7*7}}${7*7}&lt;b&gt;"));
        try (Services worker = worker();
                Browser browser = Browser.open(Look.PHONE)) {
            requests.forEach(request -> log.send(0, request.toString()));
            requests.forEach(request -> assertThat(
                            log.outcome(Requests.id(request)).path("status").asText())
                    .isEqualTo("rejected"));
            byte[] letter = ("{\"request_id\":" + markup).getBytes(StandardCharsets.UTF_8);
            String place = "0@" + log.deadLetter(log.send(0, null, letter)).offset();
            assertThat(worker.ids()).hasSize(1);

            browser.go(console + "#/outcomes");
            browser.type("#outcomes [name=namespace]", tree.name());
            browser.keys(Keys.ENTER);
            browser.awaitText("#outcomes tbody", markup, "\\u202egnp.exe\\u2066\\u200b", "&lt;b&gt;", "${7*7}");
            assertThat(browser.run("return document.querySelectorAll('main img, main script, main iframe').length"))
                    .isEqualTo(0L);
            assertThat(browser.run("return document.title").toString()).doesNotContain("taken");
            assertThat(browser.unreadable()).isEmpty();
            List.of(0, 1, 2).forEach(row -> {
                String link = "#outcomes tbody tr:nth-child(" + (row + 1) + ") a.id";
                browser.press("nav a[href=\"#/outcomes\"]");
                browser.awaitText(link, "");
                String id = browser.element(link).getDomAttribute("title");
                browser.press(link);
                browser.awaitText("#request dl", "rejected", tree.name());
                assertThat(browser.text("#request-title")).contains(id);
            });
            browser.go(console + "#request=" + Requests.id(requests.get(2)));
            browser.awaitText("#request", "x".repeat(4_095));
            assertThat(browser.unreadable()).isEmpty();

            browser.press("nav a[href=\"#/dead-letters\"]");
            browser.awaitText(rowOf("dead-letters", place), "not_json");
            browser.press(rowOf("dead-letters", place) + " summary");
            browser.awaitText(rowOf("dead-letters", place) + " pre", markup);
            assertThat(browser.run("return document.title").toString()).doesNotContain("taken");
            assertThat(browser.complaints()).isEmpty();
        }
    }
}
