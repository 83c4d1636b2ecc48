package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.treerename.installation.Installation;

/**
 * A node that answers every request of this package as Elasticsearch does. Its data are a few sample documents of the
 * control index, and a tree with only the document {@code /a/x}. The node does not store writes.
 */
final class GoodNode implements Function<StubNode.Request, StubNode.Answer> {

    static final String INDEX = "files-1";

    private static final Pattern KIND = Pattern.compile("\"kind\":\\{\"value\":\"([a-z]+)\"");
    private static final String SOURCE = "{\"path\":\"/a/x\",\"name\":\"x\",\"type\":\"directory\"}";

    private final Map<String, JsonNode> control;
    private final boolean fullPages;

    /**
     * Creates a node.
     *
     * @param control the documents of the control index, by id
     * @param fullPages whether the first page of a search of the control index is full, so that the client opens a
     *     point in time
     */
    GoodNode(Map<String, JsonNode> control, boolean fullPages) {
        this.control = control;
        this.fullPages = fullPages;
    }

    @Override
    public StubNode.Answer apply(StubNode.Request request) {
        String path = request.path();
        String kind = path.substring(path.lastIndexOf('/') + 1);
        JsonNode answer = switch (kind) {
            case "_refresh" -> withShards(Json.object());
            case "_search_shards" -> copies("copy-1");
            case "_pit" ->
                withShards(Json.object().put("id", "pit").put("succeeded", true).put("num_freed", 1));
            case "_mget" -> mget(Json.read(request.body().getBytes(StandardCharsets.UTF_8)));
            case "_bulk" -> bulk(request.body());
            case "_msearch" -> msearch(request.body());
            case "_search" -> search(path, request.body());
            default -> index(kind);
        };
        return new StubNode.Answer(200, answer.toString());
    }

    private static ObjectNode withShards(ObjectNode answer) {
        answer.putObject("_shards").put("total", 1).put("successful", 1).put("failed", 0);
        return answer;
    }

    /** Returns the answer to {@code _search_shards}: one shard, and its copies with these allocation ids. */
    static ObjectNode copies(String... ids) {
        ObjectNode answer = Json.object();
        answer.putObject("indices").putObject(INDEX);
        ArrayNode shard = answer.putArray("shards").addArray();
        for (String id : ids) {
            shard.addObject()
                    .put("index", INDEX)
                    .put("shard", 0)
                    .putObject("allocation_id")
                    .put("id", id);
        }
        return answer;
    }

    private static ObjectNode version(ObjectNode document) {
        return document.put("_seq_no", 7).put("_primary_term", 1).put("_version", 7);
    }

    /** Returns the settings, mappings and aliases of an index, or the answer to {@code _has_privileges}. */
    private static JsonNode index(String kind) {
        if (kind.equals("_has_privileges")) {
            ObjectNode granted = Json.object().put("username", "worker").put("has_all_requested", true);
            List.of("application", "cluster", "index").forEach(granted::putObject);
            return granted;
        }
        ObjectNode answer = Json.object();
        ObjectNode index = answer.putObject(kind.equals("_settings") ? Installation.DEFAULT.controlIndex() : INDEX);
        index.putObject("settings").putObject("index").put("uuid", "uuid");
        index.putObject("aliases");
        index.putObject("mappings").putObject("properties").putObject("path").put("type", "keyword");
        return answer;
    }

    private ObjectNode mget(JsonNode asked) {
        ObjectNode answer = Json.object();
        ArrayNode docs = answer.putArray("docs");
        asked.path("ids").forEach(id -> {
            ObjectNode document = docs.addObject()
                    .put("_index", Installation.DEFAULT.controlIndex())
                    .put("_id", id.asText())
                    .put("found", control.containsKey(id.asText()));
            if (control.containsKey(id.asText())) {
                version(document).set("_source", control.get(id.asText()));
            }
        });
        asked.path("docs")
                .forEach(ref -> version(docs.addObject()
                                .put("_index", INDEX)
                                .put("_id", ref.path("_id").asText())
                                .put("found", true))
                        .set("_source", Json.read(SOURCE.getBytes(StandardCharsets.UTF_8))));
        return answer;
    }

    private ObjectNode bulk(String body) {
        ObjectNode answer = Json.object();
        ArrayNode items = answer.putArray("items");
        List<String> lines = body.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Map.Entry<String, JsonNode> action = Json.read(lines.get(i).getBytes(StandardCharsets.UTF_8))
                    .properties()
                    .iterator()
                    .next();
            String id = action.getValue().path("_id").asText();
            if (action.getValue().path("require_alias").asBoolean()) {
                items.addObject()
                        .putObject("update")
                        .put("status", 404)
                        .putObject("error")
                        .put("type", "index_not_found_exception");
                i++;
                continue;
            }
            ObjectNode item = version(
                    items.addObject().putObject(action.getKey()).put("_id", id).put("status", 200));
            if (action.getKey().equals("update")) {
                item.put("result", "noop");
                ObjectNode get = item.putObject("get").put("found", control.containsKey(id));
                if (control.containsKey(id)) {
                    get.set("_source", control.get(id));
                }
            }
            i += action.getKey().equals("delete") ? 0 : 1;
        }
        return answer;
    }

    /**
     * Returns the answer to several searches. Each search of documents finds the only document of the tree. Each filter
     * of the other searches counts one document.
     */
    private static ObjectNode msearch(String body) {
        return msearch(body, 1, List.of(hit()));
    }

    /**
     * Returns the answer to several searches.
     *
     * @param count the number of documents that each filter counts
     * @param hits the hits of each search of documents
     */
    static ObjectNode msearch(String body, int count, List<ObjectNode> hits) {
        ObjectNode answer = Json.object();
        ArrayNode responses = answer.putArray("responses");
        for (String line :
                body.lines().filter(line -> line.contains("\"size\"")).toList()) {
            JsonNode search = Json.read(line.getBytes(StandardCharsets.UTF_8));
            ObjectNode response = responses.addObject();
            response.setAll(found(search.has("query") ? hits : List.of()));
            ObjectNode aggregations = response.putObject("aggregations");
            search.path("aggregations").properties().forEach(asked -> {
                ObjectNode aggregation = aggregations.putObject(asked.getKey());
                if (!asked.getValue().has("filters")) {
                    aggregation.put("value", 4);
                    return;
                }
                ArrayNode buckets = aggregation.putArray("buckets");
                asked.getValue().at("/filters/filters").forEach(filter -> {
                    ObjectNode bucket = buckets.addObject().put("doc_count", count);
                    asked.getValue()
                            .path("aggregations")
                            .fieldNames()
                            .forEachRemaining(field -> bucket.putObject(field).put("value", count));
                });
            });
        }
        return answer;
    }

    private ObjectNode search(String path, String body) {
        boolean isOfControl = path.contains(Installation.DEFAULT.controlIndex());
        boolean isOfItsPointInTime = path.equals("/_search") && body.contains("\"kind\"");
        ObjectNode answer = isOfControl || isOfItsPointInTime
                ? found(control(body, isOfControl && fullPages ? size(body) : 1))
                : found(List.of(hit()));
        ObjectNode aggregations = answer.putObject("aggregations");
        buckets(aggregations, "values").put("key", body.contains("\"field\":\"state\"") ? "prepared" : "worker-1");
        buckets(aggregations, "indices").put("key", INDEX);
        buckets(aggregations, "paths").putObject("key").put("path", "/a/x");
        buckets(aggregations, "groups");
        return answer;
    }

    private static int size(String body) {
        return Json.read(body.getBytes(StandardCharsets.UTF_8)).path("size").asInt();
    }

    private static ObjectNode buckets(ObjectNode aggregations, String name) {
        return aggregations.putObject(name).putArray("buckets").addObject().put("doc_count", 1);
    }

    private List<ObjectNode> control(String body, int copies) {
        Matcher kind = KIND.matcher(body);
        String wanted = kind.find() ? kind.group(1) : "";
        List<ObjectNode> hits = new ArrayList<>();
        for (int i = 0; i < copies; i++) {
            control.forEach((id, source) -> {
                if ((wanted.isEmpty() || source.path("kind").asText().equals(wanted)) && hits.size() < copies) {
                    ObjectNode hit = version(Json.object().put("_id", id));
                    hit.set("_source", source);
                    hit.putArray("sort").add(1);
                    hits.add(hit);
                }
            });
        }
        return hits;
    }

    private static ObjectNode hit() {
        ObjectNode hit = version(Json.object().put("_index", INDEX).put("_id", "d1"));
        hit.set("_source", Json.read(SOURCE.getBytes(StandardCharsets.UTF_8)));
        hit.putArray("sort").add("/a/x");
        return hit;
    }

    private static ObjectNode found(List<ObjectNode> hits) {
        ObjectNode answer = withShards(Json.object().put("timed_out", false));
        ObjectNode found = answer.putObject("hits");
        found.putObject("total").put("value", hits.size()).put("relation", "eq");
        hits.forEach(found.putArray("hits")::add);
        return answer;
    }
}
