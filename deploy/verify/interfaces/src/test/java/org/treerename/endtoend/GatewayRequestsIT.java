package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends random requests of three tenants to one gateway on real servers. Each tenant has a token for its own tree. The
 * requests follow a grammar of the API. Many of them are wrong, use the ids and the namespaces of other tenants, or
 * contain a query that the gateway must refuse. The number of requests is in {@code -Dfuzz.api.requests}; their seed is
 * in {@code -Dfuzz.api.seed}.
 */
final class GatewayRequestsIT {

    private static final int REQUESTS = Integer.getInteger("fuzz.api.requests", 3_000);
    private static final long SEED = Long.getLong("fuzz.api.seed", 1);
    private static final List<String> NAMES = List.of("alice", "bob", "carol");
    private static final int IDS = 40;

    /** The memory of a container with a gateway, from deploy/run/kubernetes/base/gateway.yaml. */
    private static final long MEMORY_KIB = 512 * 1024L;

    private static final Pattern RESIDENT = Pattern.compile("VmHWM:\\s+(\\d+) kB");
    private static final Pattern NEXT = Pattern.compile("\"next\":\"([^\"]+)\"");

    @TempDir
    private static Path folder;

    private static final List<Tenant> TENANTS = new ArrayList<>();
    private static Workers workers;
    private static GatewayProcess gateway;

    /**
     * A tenant.
     *
     * @param secret a text in each path of the tree. Only the requests of this tenant contain this text, so only the
     *     answers to this tenant may contain it
     */
    private record Tenant(String name, String token, String secret, Tree tree) {

        static Tenant of(String name) {
            String secret = "secret-of-" + name;
            Tree tree = Tree.create()
                    .directories("/" + secret, "/" + secret + "/a", "/" + secret + "/b")
                    .files("/" + secret + "/a/1", "/" + secret + "/a/2", "/" + secret + "/b/3")
                    .index();
            return new Tenant(name, "token-of-" + name + "-0123456789", secret, tree);
        }
    }

    @BeforeAll
    static void start() throws IOException {
        NAMES.forEach(name -> TENANTS.add(Tenant.of(name)));
        Path tokens = Files.write(
                folder.resolve("tokens"),
                TENANTS.stream()
                        .map(tenant -> "%s:%s:rename@%s"
                                .formatted(
                                        tenant.name(),
                                        tenant.token(),
                                        tenant.tree().name()))
                        .toList());
        workers = Workers.start(1);
        gateway = GatewayProcess.start("--http-token-file=" + tokens, "--http-requests-per-second=1000000");
    }

    @AfterAll
    static void stop() {
        gateway.close();
        workers.close();
    }

    @Test
    void answers_random_requests_without_a_defect_and_without_data_of_another_tenant() throws Exception {
        Map<String, Integer> answers = new ConcurrentSkipListMap<>();
        List<Future<?>> senders = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(TENANTS.size())) {
            for (int i = 0; i < TENANTS.size(); i++) {
                Sender sender = new Sender(TENANTS.get(i), new Random(SEED * TENANTS.size() + i));
                senders.add(threads.submit(() -> {
                    for (int sent = 0; sent < REQUESTS / TENANTS.size(); sent++) {
                        answers.merge(sender.answer(sent), 1, Integer::sum);
                    }
                    return null;
                }));
            }
        }
        for (Future<?> sender : senders) {
            sender.get();
        }

        System.out.println("answers to " + REQUESTS + " requests of seed " + SEED + ": " + answers + ", memory "
                + memory() / 1024 + " MiB");
        assertThat(answers.keySet().stream()
                        .map(answer -> answer.replaceFirst(".* ", ""))
                        .collect(Collectors.toSet()))
                .contains("200", "202", "400", "401", "403", "404", "405", "409", "415");
        assertThat(memory()).isLessThan(MEMORY_KIB);
        assertThat(gateway.log()).doesNotContain("\tat ", "because of a defect");
    }

    private static long memory() throws IOException {
        Matcher resident =
                RESIDENT.matcher(Files.readString(Path.of("/proc", String.valueOf(gateway.pid()), "status")));
        assertThat(resident.find()).isTrue();
        return Long.parseLong(resident.group(1));
    }

    /** Creates and sends the requests of one tenant. */
    private static final class Sender {

        private final Tenant own;
        private final Random random;
        private final HttpClient client = HttpClient.newHttpClient();

        /** The last page position that an answer contained. */
        private String next = "";

        Sender(Tenant own, Random random) {
            this.own = own;
            this.random = random;
        }

        /** Sends one request, and checks the answer. Returns the kind of the request and the status. */
        String answer(int number) throws IOException, InterruptedException {
            Wanted wanted = wanted();
            HttpResponse<InputStream> response =
                    client.send(authorized(wanted.request()).build(), BodyHandlers.ofInputStream());
            String body;
            try (InputStream in = response.body()) {
                boolean isStream =
                        response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
                // the first part of a stream is sufficient
                byte[] bytes = isStream ? in.readNBytes(20) : in.readAllBytes();
                body = new String(bytes, StandardCharsets.UTF_8);
            }
            String what = "request %d of %s, seed %d: %s answered %d %s"
                    .formatted(number, own.name(), SEED, wanted, response.statusCode(), body);
            int status = response.statusCode();
            boolean treeChanged = status == 503 && body.contains("tree_changed");
            assertThat(status < 500 || treeChanged).as(what).isTrue();
            if (wanted.isForbidden()) {
                assertThat(status).as(what).isBetween(400, 499);
            }
            String all = response.headers().map() + body;
            for (Tenant other : TENANTS) {
                if (other != own) {
                    assertThat(all).as(what).doesNotContain(other.secret());
                }
            }
            Matcher position = NEXT.matcher(body);
            if (position.find()) {
                next = position.group(1);
            }
            return wanted.kind() + " " + status;
        }

        /**
         * A request to send.
         *
         * @param isForbidden whether the gateway must refuse the request
         */
        private record Wanted(String kind, HttpRequest.Builder request, boolean isForbidden, String sent) {
            @Override
            public String toString() {
                return sent;
            }
        }

        private HttpRequest.Builder authorized(HttpRequest.Builder request) {
            return switch (random.nextInt(30)) {
                case 0 -> request;
                case 1 -> request.header("Authorization", "Bearer " + own.token() + "x");
                default -> request.header("Authorization", "Bearer " + own.token());
            };
        }

        private <T> T one(List<T> of) {
            return of.get(random.nextInt(of.size()));
        }

        private Tenant tenant() {
            return random.nextInt(4) == 0 ? one(TENANTS) : own;
        }

        private String namespace() {
            return random.nextInt(20) == 0
                    ? one(List.of("", "none", "../x", "a b"))
                    : tenant().tree().name();
        }

        /** Returns the id of an own request or of the request of another tenant. */
        private String id() {
            return random.nextInt(30) == 0
                    ? one(List.of("undo-" + own.name() + "-1", "x".repeat(201), "a/b", "é", "."))
                    : tenant().name() + "-" + random.nextInt(IDS);
        }

        private String path() {
            return random.nextInt(10) == 0
                    ? one(List.of("", "/", "//", "a", "/a/../b", "/" + "x".repeat(5_000), "/\u0000", "/é\n"))
                    : "/" + own.secret() + one(List.of("", "/a", "/b", "/c", "/a/d", "/a/1", "/b/3"));
        }

        private static String encoded(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        }

        private Wanted wanted() {
            return switch (random.nextInt(100)) {
                case 0, 1, 2, 3 -> post("create", "/v1/renames", rename());
                case 4, 5 ->
                    post("batch", "/v1/batches", Es.JSON.createObjectNode().set("renames", renames()));
                case 6 -> events();
                case 7, 8, 9 -> to("cancel", "DELETE", "/v1/renames/" + encoded(id()));
                case 10, 11, 12 -> post("undo", "/v1/renames/" + encoded(id()) + "/undo", Es.JSON.createObjectNode());
                case 13, 14, 15, 16, 17, 18, 19 -> post("forecast", "/v1/forecasts", rename());
                case 20, 21, 22, 23, 24, 25, 26 -> post("lookup", "/v1/lookups", ids());
                case 27, 28 -> to("namespaces", "GET", "/v1/namespaces");
                case 29 -> to("document", "GET", "/v1/openapi.json");
                case 30, 31, 32, 33 -> other();
                default -> read();
            };
        }

        /** Returns a request for events. Most of these requests accept no events, because a stream takes seconds. */
        private Wanted events() {
            String path = "/v1/renames/" + encoded(id()) + "/events";
            boolean isAccepted = random.nextInt(5) == 0;
            return new Wanted(
                    "events",
                    gateway.to(path).header("Accept", isAccepted ? "text/event-stream" : "text/html"),
                    !isAccepted,
                    "GET " + path);
        }

        private Wanted read() {
            return switch (random.nextInt(4)) {
                case 0 -> to("show", "GET", "/v1/renames/" + encoded(id()));
                case 1 -> to("list", "GET", "/v1/renames" + query(List.of("state", "namespace", "path", "since")));
                case 2 ->
                    to(
                            "entries",
                            "GET",
                            "/v1/namespaces/" + encoded(namespace()) + "/entries" + query(List.of("path")));
                default -> search();
            };
        }

        private Wanted other() {
            String path =
                    one(List.of("/", "/v1", "/v1/renames/", "/v1/%zz", "/console/", "/metrics", "/v1/openapi.json"));
            String method = one(List.of("GET", "PUT", "PATCH", "HEAD", "OPTIONS", "DELETE", "OTHER"));
            return random.nextBoolean()
                    ? new Wanted(
                            "form",
                            gateway.to("/v1/renames/" + encoded(id()) + "/undo")
                                    .header("Content-Type", "text/plain")
                                    .POST(BodyPublishers.ofString("{}")),
                            true,
                            "a form")
                    : to("other", method, path.equals("/v1/%zz") ? "/v1/%25zz" : path);
        }

        private Wanted to(String kind, String method, String path) {
            return new Wanted(
                    kind, gateway.to(path).method(method, BodyPublishers.noBody()), false, method + " " + path);
        }

        private Wanted post(String kind, String path, ObjectNode body) {
            return post(kind, path, mutated(body.toString()), false);
        }

        private Wanted post(String kind, String path, String body, boolean isForbidden) {
            return new Wanted(
                    kind,
                    gateway.to(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)),
                    isForbidden,
                    "POST " + path + " " + body);
        }

        /** Replaces a part of some bodies. */
        private String mutated(String body) {
            if (random.nextInt(10) > 0) {
                return body;
            }
            int from = random.nextInt(body.length());
            int to = Math.min(body.length(), from + random.nextInt(8));
            String part =
                    one(List.of("", "null", "1e999", "\"", "{}", "[[", "\\u0000", "\\ud800", ",\"version\":1,", "é"));
            return body.substring(0, from) + part + body.substring(to);
        }

        private ObjectNode rename() {
            ObjectNode rename = Es.JSON
                    .createObjectNode()
                    .put("namespace", namespace())
                    .put("source", path())
                    .put("destination", path());
            if (random.nextInt(3) > 0) {
                rename.put("request_id", own.name() + "-" + random.nextInt(IDS));
            }
            if (random.nextInt(5) == 0) {
                rename.put("requested_by", own.secret());
            }
            if (random.nextInt(8) == 0) {
                rename.putArray("after").add(id());
            }
            if (random.nextInt(8) == 0) {
                rename.put("on_existing", one(List.of("fail", "replace", "never")));
            }
            return rename;
        }

        private ArrayNode renames() {
            ArrayNode renames = Es.JSON.createArrayNode();
            for (int i = random.nextInt(4); i > 0; i--) {
                renames.add(rename());
            }
            return renames;
        }

        private ObjectNode ids() {
            ObjectNode body = Es.JSON.createObjectNode();
            ArrayNode ids = body.putArray("request_ids");
            for (int i = random.nextInt(101); i > 0; i--) {
                ids.add(id());
            }
            return body;
        }

        private String query(List<String> filters) {
            List<String> parameters = new ArrayList<>();
            for (String filter : filters) {
                if (random.nextInt(3) > 0) {
                    parameters.add(filter + "=" + encoded(value(filter)));
                }
            }
            if (random.nextInt(2) == 0) {
                parameters.add("limit=" + one(List.of("1", "2", "100", "0", "-1", "1001", "x")));
            }
            if (random.nextInt(4) == 0) {
                parameters.add("after=" + encoded(position()));
            }
            return parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
        }

        private String value(String filter) {
            return switch (filter) {
                case "state" -> one(List.of("moving", "prepared", "closed", "done,closed", "none"));
                case "namespace" -> namespace();
                case "since" -> one(List.of("2026-01-31T12:00:00Z", "now", "9999-12-31T23:59:59Z"));
                default -> path();
            };
        }

        /** Returns the position of an earlier page, sometimes with a change. */
        private String position() {
            return switch (random.nextInt(4)) {
                case 0 -> one(List.of("", "x", "OTk5OTk5OTk5OTk5OTk5OnI", "eyJhIjoxfQ", "A".repeat(600)));
                case 1 -> next.isEmpty() ? "y" : next.substring(0, random.nextInt(next.length()));
                default -> next;
            };
        }

        private Wanted search() {
            boolean isForbidden = random.nextInt(4) == 0;
            ObjectNode body = Es.JSON.createObjectNode().put("path", path());
            if (random.nextInt(5) > 0) {
                body.set("query", isForbidden ? forbidden() : condition(3));
            } else {
                isForbidden = false;
            }
            if (random.nextInt(3) == 0) {
                body.put("reach", one(List.of("exactly", "directly_below", "below", "at_or_below", "all")));
            }
            if (random.nextInt(4) == 0) {
                body.put("limit", random.nextInt(1_100));
            }
            if (random.nextInt(4) == 0) {
                body.put("count", random.nextBoolean());
            }
            if (random.nextInt(6) == 0) {
                body.put("after", position());
            }
            String path = "/v1/namespaces/" + encoded(namespace()) + "/search";
            return post("search", path, isForbidden ? body.toString() : mutated(body.toString()), isForbidden);
        }

        private ObjectNode condition(int depth) {
            ObjectNode query = Es.JSON.createObjectNode();
            switch (random.nextInt(depth > 0 ? 8 : 6)) {
                case 0 -> query.putObject("term").put("name", one(List.of("1", "a", "é")));
                case 1 -> query.putObject("prefix").put("path", path());
                case 2 -> query.putObject("exists").put("field", one(List.of("size", "none")));
                case 3 -> query.putObject("match_all");
                case 4 -> query.putObject("range").putObject("size").put("gte", random.nextInt(20));
                case 5 -> query.putObject("terms").putArray("type").add("file").add("directory");
                case 6 -> query.putObject("bool").putArray("must").add(condition(depth - 1));
                default -> query.putObject("bool").putArray("must_not").add(condition(depth - 1));
            }
            return query;
        }

        /** Returns a query that reads another index or runs a script. */
        private ObjectNode forbidden() {
            ObjectNode query = Es.JSON.createObjectNode();
            switch (random.nextInt(5)) {
                case 0 ->
                    query.putObject("terms")
                            .putObject("path")
                            .put("index", one(TENANTS).tree().name())
                            .put("id", "1")
                            .put("path", "path");
                case 1 -> query.putObject("script").put("script", "true");
                case 2 ->
                    query.putObject("script_score")
                            .put("script", "1")
                            .putObject("query")
                            .putObject("match_all");
                case 3 -> query.putObject("unknown").put("x", 1);
                default ->
                    query.putObject("wrapper")
                            .put(
                                    "query",
                                    Base64.getEncoder()
                                            .encodeToString(
                                                    forbidden().toString().getBytes(StandardCharsets.UTF_8)));
            }
            if (random.nextInt(3) == 0) {
                ObjectNode nested = Es.JSON.createObjectNode();
                nested.putObject("bool").putArray("filter").add(query);
                return nested;
            }
            return query;
        }
    }
}
