package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import org.treerename.producer.cli.gateway.GatewayAnswer;
import org.treerename.producer.cli.gateway.GatewayClient;

/** Reads the pages of a list or of a search in a tree through a gateway. */
final class GatewayTreePages implements TreePages {

    private static final int LARGEST_PAGE = 1_000;

    private final GatewayClient gateway;
    private final String resource;
    private final String path;
    private final boolean mayBeInconsistent;
    private @Nullable String next;
    private boolean isConsistent = true;

    GatewayTreePages(GatewayClient gateway, String namespace, String path, boolean mayBeInconsistent) {
        this.gateway = gateway;
        this.resource = "/v1/namespaces/" + GatewayClient.encoded(namespace);
        this.path = path;
        this.mayBeInconsistent = mayBeInconsistent;
    }

    @Override
    public Page list(int most) {
        StringBuilder query = new StringBuilder(
                resource + "/entries?path=" + GatewayClient.encoded(path) + "&limit=" + Math.min(most, LARGEST_PAGE));
        if (mayBeInconsistent) {
            query.append("&allow_inconsistent=true");
        }
        if (next != null) {
            query.append("&after=").append(GatewayClient.encoded(next));
        }
        return page(gateway.get(query.toString()), "entries");
    }

    @Override
    public Page find(@Nullable JsonNode query, int most) {
        ObjectNode search = search(query).put("limit", Math.min(most, LARGEST_PAGE));
        if (next != null) {
            search.put("after", next);
        }
        return page(gateway.post(resource + "/search", search), "hits");
    }

    @Override
    public long count(@Nullable JsonNode query) {
        JsonNode answer = gateway.post(resource + "/search", search(query).put("count", true))
                .ok();
        isConsistent &= answer.path("consistent").asBoolean(true);
        return answer.path("count").asLong();
    }

    private ObjectNode search(@Nullable JsonNode query) {
        ObjectNode search = JsonNodeFactory.instance
                .objectNode()
                .put("path", path)
                .put("reach", "at_or_below")
                .put("allow_inconsistent", mayBeInconsistent);
        return query == null ? search : search.set("query", query);
    }

    private Page page(GatewayAnswer answer, String items) {
        JsonNode page = answer.ok();
        next = page.path("next").textValue();
        isConsistent &= page.path("consistent").asBoolean(true);
        return new Page(
                page.path(items)
                        .valueStream()
                        .<ObjectNode>map(JsonNode::deepCopy)
                        .toList(),
                next == null);
    }

    @Override
    public boolean isConsistent() {
        return isConsistent;
    }

    @Override
    public void close() {
        gateway.close();
    }
}
