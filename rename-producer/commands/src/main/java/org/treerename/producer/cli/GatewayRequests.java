package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.treerename.overview.OverviewJson;
import org.treerename.producer.cli.gateway.GatewayAnswer;
import org.treerename.producer.cli.gateway.GatewayClient;

/** Reads and cancels requests through a gateway. */
record GatewayRequests(GatewayClient gateway) implements Requests {

    private static final String RENAMES = "/v1/renames";
    private static final String UNKNOWN = "unknown_request";

    private static String path(String requestId) {
        return RENAMES + "/" + GatewayClient.encoded(requestId);
    }

    @Override
    public Optional<ObjectNode> read(String requestId) {
        GatewayAnswer answer = gateway.get(path(requestId));
        return answer.is(UNKNOWN) ? Optional.empty() : Optional.of(rename(answer.ok()));
    }

    /** {@inheritDoc} The gateway knows the caller, so the request does not contain the name of the user. */
    @Override
    public Cancelling cancel(String requestId, String by) {
        GatewayAnswer answer = gateway.delete(path(requestId));
        if (answer.is(UNKNOWN)) {
            return new Cancelling.Unknown();
        }
        boolean isDecided = answer.is("already_decided");
        if (!isDecided) {
            var unused = answer.ok();
        }
        return read(requestId)
                .<Cancelling>map(
                        rename -> isDecided ? new Cancelling.AlreadyDecided(rename) : new Cancelling.Cancelled(rename))
                .orElseGet(Cancelling.Unknown::new);
    }

    /**
     * Requests the undo of a rename from the gateway.
     *
     * @param version the version of the documents after they move back; null for no version
     */
    GatewayAnswer undo(String requestId, @Nullable Long version) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        if (version != null) {
            body.put("version", version);
        }
        return gateway.post(path(requestId) + "/undo", body);
    }

    @Override
    public Page list(Filter filter, @Nullable String after, int most) {
        StringBuilder query = new StringBuilder(RENAMES + "?limit=" + most + "&state="
                + filter.states().stream().map(OverviewJson::word).sorted().collect(Collectors.joining(",")));
        add(query, "namespace", filter.namespace());
        add(query, "path", filter.prefix());
        add(query, "after", after);
        JsonNode page = gateway.get(query.toString()).ok();
        List<ObjectNode> renames =
                page.path("renames").valueStream().map(GatewayRequests::rename).toList();
        return new Page(renames, page.path("next").textValue());
    }

    private static void add(StringBuilder query, String name, @Nullable String value) {
        if (value != null) {
            query.append('&').append(name).append('=').append(GatewayClient.encoded(value));
        }
    }

    private static ObjectNode rename(JsonNode json) {
        ObjectNode rename = json.deepCopy();
        rename.remove("links");
        return rename;
    }

    @Override
    public void close() {
        gateway.close();
    }
}
