package org.treerename.elastic;

import co.elastic.clients.transport.rest5_client.low_level.Request;
import co.elastic.clients.transport.rest5_client.low_level.Response;
import co.elastic.clients.transport.rest5_client.low_level.ResponseException;
import co.elastic.clients.transport.rest5_client.low_level.Rest5Client;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.treerename.namespace.TreeProblem;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Reads facts about the servers of Elasticsearch: versions, nodes, clocks and shard copies. This class also checks the
 * privileges of this process. This class changes nothing. Elasticsearch returns some facts only to a user with the
 * cluster privilege {@code monitor}.
 */
public final class ServerProbe {

    private static final String NODE =
            "/_nodes/_local?filter_path=nodes.*.name,nodes.*.version,nodes.*.http.publish_address";
    private static final String CLOCKS = "/_nodes/stats/os?filter_path=nodes.*.name,nodes.*.timestamp";

    /**
     * The server that answered at an address.
     *
     * @param headers the headers of the answer; the names are in lower case
     * @param node the node; empty if this process lacks the privilege {@code monitor}
     */
    public record Seen(Map<String, String> headers, Optional<Node> node) {
        public Seen {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * A node of Elasticsearch.
     *
     * @param publishAddress the address at which the node receives HTTP requests, in the format {@code host:port}
     */
    public record Node(String id, String name, String version, String publishAddress) {}

    /** The time of the wall clock of one node. */
    public record Clock(String node, Instant now) {}

    /**
     * The numbers of shard copies of an index or alias.
     *
     * @param started the number of started copies of the shard that has the fewest started copies
     * @param expected the number of copies per shard in the settings; for several indices, the largest of these numbers
     * @param expands whether Elasticsearch adds replicas automatically when new nodes join the cluster
     */
    public record Copies(int started, int expected, boolean expands) {}

    private final Elastic.Settings settings;
    private final Elastic elastic;

    public ServerProbe(Elastic.Settings settings, Elastic elastic) {
        this.settings = settings;
        this.elastic = elastic;
    }

    /**
     * Reads the headers and the node of the server at an address. Each call opens a new connection, because a load
     * balancer chooses a node for each connection.
     *
     * @throws NoAnswerException if the server does not answer
     */
    public Seen at(URI url) {
        Elastic.Settings one = new Elastic.Settings(
                List.of(url),
                settings.timeout(),
                settings.connections(),
                settings.authorization(),
                settings.tls(),
                settings.installation());
        try (Rest5Client client = RequestSender.client(one).build()) {
            Response response = answer(client);
            Map<String, String> headers = new TreeMap<>();
            for (Header header : response.getHeaders()) {
                headers.put(header.getName().toLowerCase(Locale.ROOT), String.valueOf(header.getValue()));
            }
            JsonNode body = response.getStatusCode() == 200
                    ? Json.read(EntityUtils.toByteArray(response.getEntity()))
                    : MissingNode.getInstance();
            return new Seen(
                    headers,
                    body.path("nodes").properties().stream()
                            .findFirst()
                            .map(node -> node(node.getKey(), node.getValue())));
        } catch (IOException e) {
            throw new NoAnswerException("GET " + NODE + " got no answer from " + url + ": " + e, e);
        }
    }

    private static Response answer(Rest5Client client) throws IOException {
        try {
            return client.performRequest(request());
        } catch (ResponseException e) {
            return e.getResponse();
        }
    }

    private static Request request() {
        URI uri = URI.create(NODE);
        Request request = new Request("GET", uri.getRawPath());
        request.addParameter(
                "filter_path", uri.getQuery().substring(uri.getQuery().indexOf('=') + 1));
        return request;
    }

    private static Node node(String id, JsonNode node) {
        return new Node(
                id,
                node.path("name").asText(),
                node.path("version").asText(),
                node.path("http").path("publish_address").asText());
    }

    /**
     * Returns the answer to {@code GET /}, which contains the version and the build flavor of the server. Returns empty
     * if this process lacks the privilege {@code monitor}.
     */
    public Optional<JsonNode> root() {
        try {
            return Optional.of(elastic.raw().get("/"))
                    .filter(Elastic.Answer::isOk)
                    .map(Elastic.Answer::json);
        } catch (RefusedException e) {
            return Optional.empty();
        }
    }

    /** Returns the versions of the nodes that have shards of an index. This read requires no cluster privilege. */
    public Set<String> versions(String index) {
        Set<String> versions = new TreeSet<>();
        Elastic.Answer answer = elastic.raw().get("/" + index + "/_search_shards?filter_path=nodes.*.version");
        if (answer.isOk()) {
            answer.json()
                    .path("nodes")
                    .forEach(node -> versions.add(node.path("version").asText()));
        }
        return versions;
    }

    /** Returns the clocks of all nodes; empty if this process lacks the privilege {@code monitor}. */
    public List<Clock> clocks() {
        List<Clock> clocks = new ArrayList<>();
        try {
            for (Map.Entry<String, JsonNode> node :
                    elastic.raw().get(CLOCKS).json().path("nodes").properties()) {
                String name = node.getValue().path("name").asText();
                clocks.add(new Clock(
                        name.isEmpty() ? node.getKey() : name,
                        Instant.ofEpochMilli(node.getValue().path("timestamp").asLong())));
            }
        } catch (RefusedException e) {
            return List.of();
        }
        return clocks;
    }

    /** Returns the numbers of shard copies of an index or alias; empty if the index or alias does not exist. */
    public Optional<Copies> copies(String index) {
        Elastic.Answer answer = elastic.raw().get("/" + index + "/_search_shards?filter_path=shards.state");
        Elastic.Answer configured = elastic.raw().get("/" + index + "/_settings");
        if (!answer.isOk() || !configured.isOk()) {
            return Optional.empty();
        }
        int started = Integer.MAX_VALUE;
        for (JsonNode shard : answer.json().path("shards")) {
            int copies = 0;
            for (JsonNode copy : shard) {
                copies += copy.path("state").asText().equals("STARTED") ? 1 : 0;
            }
            started = Math.min(started, copies);
        }
        int expected = 1;
        boolean expands = true;
        for (JsonNode one : configured.json()) {
            JsonNode set = one.path("settings").path("index");
            expected = Math.max(expected, 1 + set.path("number_of_replicas").asInt());
            expands &= !set.path("auto_expand_replicas").asText("false").equals("false");
        }
        return Optional.of(new Copies(started == Integer.MAX_VALUE ? 0 : started, expected, expands));
    }

    /** Returns whether the security features of Elasticsearch are enabled. */
    public boolean isSecured() {
        return new Rights(elastic).isSecured();
    }

    /**
     * Checks whether this process has the privileges that workers, janitors and gateways need on the control index.
     * Returns the first problem; empty if this process has these privileges.
     */
    public Optional<TreeProblem> missingOnControlIndex() {
        return new ControlIndex(elastic).forbidden();
    }
}
