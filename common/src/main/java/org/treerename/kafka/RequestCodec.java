package org.treerename.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.treerename.request.Json;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RequestIds;
import org.treerename.request.TraceContext;
import org.treerename.store.Sha256;

/**
 * Converts requests to the JSON objects that {@code rename-request.schema.json} describes, and back. Unknown fields are
 * ignored.
 */
public final class RequestCodec {

    public static final int MAX_REQUESTED_BY = 1_000;

    /** Elasticsearch's limit for the id of a document, in bytes of UTF-8. */
    private static final int MAX_DOCUMENT_ID = 512;

    /** The maximum number of request ids in the field {@code after} of a request. */
    public static final int MAX_AFTER = 100;

    /** The result of decoding a record's value. */
    public sealed interface Decoded {

        /**
         * A record with a usable request id.
         *
         * @param digest a hash of the known fields except {@code after}; if a field is invalid, a hash of all bytes.
         *     The field {@code after} is not included, because it changes only the time at which the request may begin
         * @param after the ids of the requests that must end before this request begins
         */
        record Usable(ParsedRequest asked, String digest, List<String> after) implements Decoded {
            public Usable {
                after = List.copyOf(after);
            }

            private Usable in(TraceContext trace) {
                ParsedRequest traced = switch (asked) {
                    case RenameRequest request -> request.in(trace);
                    case InvalidRequest invalid ->
                        new InvalidRequest(invalid.requestId(), invalid.requestedBy(), invalid.problem(), trace);
                };
                return new Usable(traced, digest, after);
            }
        }

        /** A record that no outcome can answer. The reason is a code, for example {@code not_json}. */
        record Unusable(String reason) implements Decoded {}
    }

    private RequestCodec() {}

    /**
     * Encodes a request as the value of a record.
     *
     * @throws IllegalArgumentException if a field is not well-formed Unicode
     */
    public static byte[] encode(RenameRequest request) {
        return encode(request, List.of());
    }

    /**
     * Encodes a request that must wait for the end of other requests.
     *
     * @param after the ids of the other requests
     * @throws IllegalArgumentException if {@link #afterProblem} finds a problem, or a field is not well-formed Unicode
     */
    public static byte[] encode(RenameRequest request, List<String> after) {
        afterProblem(request.requestId(), after).ifPresent(problem -> {
            throw new IllegalArgumentException("request " + request.requestId() + ": " + problem);
        });
        ObjectNode json = object(request);
        if (!after.isEmpty()) {
            after.forEach(json.putArray("after")::add);
        }
        return Json.bytes(json);
    }

    /** Returns the reason why the field {@code after} of a request is invalid; empty if the field is valid. */
    public static Optional<String> afterProblem(String requestId, List<String> after) {
        if (after.size() > MAX_AFTER) {
            return Optional.of("after must name at most " + MAX_AFTER + " requests, found " + after.size());
        }
        if (after.contains(requestId)) {
            return Optional.of("after must not name the request itself");
        }
        return after.stream()
                .flatMap(id -> RequestIds.problem(id).stream())
                .findFirst()
                .map(problem -> "after: " + problem);
    }

    /**
     * Returns a hash of all fields of a request except the trace context. Requests with equal fields have the same
     * hash.
     */
    public static String digest(RenameRequest request) {
        return Sha256.hex(Json.writeAscii(object(request)).getBytes(StandardCharsets.UTF_8));
    }

    private static ObjectNode object(RenameRequest request) {
        ObjectNode json = Json.MAPPER
                .createObjectNode()
                .put("request_id", request.requestId())
                .put("namespace", request.namespace())
                .put("source", request.source())
                .put("destination", request.destination())
                .put("on_existing", request.onExisting().name().toLowerCase(Locale.ROOT))
                .put("requested_by", request.requestedBy());
        if (request.replayOf() != null) {
            json.put("replay_of", request.replayOf());
        }
        if (request.sourceId() != null) {
            json.put("source_id", request.sourceId());
        }
        return request.version() == null ? json : json.put("version", request.version());
    }

    /**
     * Decodes a record's value, and reads the trace context from the headers of the record. Never throws, even if the
     * record is malformed.
     */
    public static Decoded read(ConsumerRecord<byte[], byte[]> message) {
        Decoded decoded = decode(message.value());
        TraceContext trace = TraceHeaders.in(message.headers()).orElse(null);
        return decoded instanceof Decoded.Usable usable && trace != null ? usable.in(trace) : decoded;
    }

    /** Decodes a record's value. Never throws, even if the bytes are malformed. */
    public static Decoded decode(byte @Nullable [] value) {
        if (value == null || value.length == 0) {
            return new Decoded.Unusable("empty");
        }
        JsonNode json;
        try {
            json = Json.MAPPER.readTree(value);
        } catch (IOException e) {
            return new Decoded.Unusable(Json.hasRepeatedField(value) ? "repeated_field" : "not_json");
        }
        if (!json.isObject()) {
            return new Decoded.Unusable("not_an_object");
        }
        JsonNode id = json.path("request_id");
        if (!id.isTextual() || RequestIds.problem(id.textValue()).isPresent()) {
            return new Decoded.Unusable("no_request_id");
        }
        return usable(json, id.textValue(), value);
    }

    private static Decoded usable(JsonNode json, String requestId, byte[] value) {
        Optional<String> problem = problem(json);
        String requestedBy =
                requestedByProblem(json).isEmpty() ? json.path("requested_by").textValue() : null;
        if (problem.isPresent()) {
            return new Decoded.Usable(
                    new InvalidRequest(requestId, requestedBy, problem.get()), Sha256.hex(value), List.of());
        }
        RenameRequest request = new RenameRequest(
                requestId,
                json.path("namespace").textValue(),
                json.path("source").textValue(),
                json.path("destination").textValue(),
                json.path("on_existing").asText("fail").equals("replace") ? OnExisting.REPLACE : OnExisting.FAIL,
                requestedBy,
                json.path("replay_of").textValue(),
                null,
                json.path("version").isNumber() ? (Long) json.path("version").longValue() : null,
                json.path("source_id").textValue());
        return new Decoded.Usable(request, digest(request), after(json));
    }

    private static List<String> after(JsonNode json) {
        return json.path("after").valueStream().map(JsonNode::textValue).toList();
    }

    private static Optional<String> problem(JsonNode json) {
        for (String field : new String[] {"namespace", "source", "destination"}) {
            if (!json.path(field).isTextual()) {
                return Optional.of(field + " must be a string, found " + kind(json.path(field)));
            }
        }
        JsonNode onExisting = json.path("on_existing");
        if (!onExisting.isMissingNode()
                && !onExisting.asText().equals("fail")
                && !onExisting.asText().equals("replace")) {
            return Optional.of("on_existing must be \"fail\" or \"replace\", found " + other(onExisting));
        }
        JsonNode replayOf = json.path("replay_of");
        boolean isId =
                replayOf.isTextual() && RequestIds.problem(replayOf.textValue()).isEmpty();
        if (!replayOf.isMissingNode() && !replayOf.isNull() && !isId) {
            return Optional.of("replay_of must be a request_id or null, found " + other(replayOf));
        }
        JsonNode version = json.path("version");
        boolean isVersion = version.isIntegralNumber() && version.canConvertToLong() && version.longValue() > 0;
        if (!version.isMissingNode() && !version.isNull() && !isVersion) {
            return Optional.of("version must be a whole number from 1 to " + Long.MAX_VALUE + ", or null, found "
                    + (version.isNumber() ? version.asText() : kind(version)));
        }
        JsonNode sourceId = json.path("source_id");
        if (!sourceId.isMissingNode() && !sourceId.isNull() && !isDocumentId(sourceId)) {
            return Optional.of("source_id must be null or the id of a document (1 to " + MAX_DOCUMENT_ID
                    + " bytes), found " + other(sourceId));
        }
        return afterProblem(json).or(() -> requestedByProblem(json));
    }

    private static boolean isDocumentId(JsonNode json) {
        if (!json.isTextual() || json.textValue().isEmpty()) {
            return false;
        }
        String text = json.textValue();
        boolean hasLoneSurrogate = text.codePoints()
                .anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
        return !hasLoneSurrogate && text.getBytes(StandardCharsets.UTF_8).length <= MAX_DOCUMENT_ID;
    }

    private static Optional<String> afterProblem(JsonNode json) {
        JsonNode after = json.path("after");
        if (after.isMissingNode()) {
            return Optional.empty();
        }
        Optional<JsonNode> other =
                after.valueStream().filter(id -> !id.isTextual()).findFirst();
        if (!after.isArray() || other.isPresent()) {
            return Optional.of("after must be a list of strings, found " + kind(other.orElse(after)));
        }
        return afterProblem(json.path("request_id").textValue(), after(json));
    }

    private static Optional<String> requestedByProblem(JsonNode json) {
        JsonNode requestedBy = json.path("requested_by");
        if (requestedBy.isMissingNode() || requestedBy.isNull()) {
            return Optional.empty();
        }
        if (!requestedBy.isTextual()) {
            return Optional.of("requested_by must be a string or null, found " + kind(requestedBy));
        }
        String text = requestedBy.textValue();
        int codePoints = text.codePointCount(0, text.length());
        if (codePoints > MAX_REQUESTED_BY) {
            return Optional.of(
                    "requested_by must have at most " + MAX_REQUESTED_BY + " code points, found " + codePoints);
        }
        boolean loneSurrogate =
                text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
        return loneSurrogate
                ? Optional.of("requested_by must be well-formed Unicode, found a lone surrogate")
                : Optional.empty();
    }

    private static String other(JsonNode node) {
        return node.isTextual() ? "another string" : kind(node);
    }

    private static String kind(JsonNode node) {
        String type = node.getNodeType().name().toLowerCase(Locale.ROOT);
        return switch (node.getNodeType()) {
            case MISSING -> "none";
            case NULL -> type;
            case ARRAY, OBJECT -> "an " + type;
            default -> "a " + type;
        };
    }
}
