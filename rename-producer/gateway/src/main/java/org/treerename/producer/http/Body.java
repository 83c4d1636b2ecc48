package org.treerename.producer.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.http.Caller;
import org.treerename.kafka.RequestCodec;
import org.treerename.kafka.RequestCodec.Decoded.Usable;
import org.treerename.namespace.Namespace;
import org.treerename.path.Notation;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RequestIds;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/** Reads the bodies of requests. The JSON of a rename may contain only the fields of a record in the request topic. */
final class Body {

    private static final Logger log = LoggerFactory.getLogger(Body.class);

    /** The largest number of requests in one batch or lookup. */
    static final int MOST = 100;

    private static final Set<String> FIELDS = Set.of(
            "request_id",
            "namespace",
            "source",
            "source_id",
            "destination",
            "on_existing",
            "requested_by",
            "version",
            "after");

    /** A request, and the ids of the requests that must end before this request begins. */
    record Asking(RenameRequest request, List<String> after) {
        Asking {
            after = List.copyOf(after);
        }
    }

    /**
     * The values for fields that the body does not contain.
     *
     * @param key the idempotency key; it becomes the request id if the body has no id; null if there is no key
     * @param newId creates an id if there is no key and the body has no id
     * @param caller the name of the caller. This is the value of {@code requested_by} if the body does not contain this
     *     field. Otherwise the name is the beginning of the value, unless the caller has no name of its own
     */
    record From(@Nullable String key, Supplier<String> newId, String caller) {}

    private final Map<String, Namespace> file;
    private final Function<String, Optional<Namespace>> stored;

    /**
     * @param file the definitions in the file of the gateway, by name; only the worker checks the paths of a namespace
     *     without a definition in the file
     * @param stored returns the stored definition of a namespace
     */
    Body(Map<String, Namespace> file, Function<String, Optional<Namespace>> stored) {
        this.file = Map.copyOf(file);
        this.stored = stored;
    }

    /**
     * Throws if the gateway has a file, but neither the file nor the control index defines the namespace. Without a file,
     * the gateway accepts each namespace, and the worker decides. If Elasticsearch does not answer, the worker decides
     * as well.
     */
    void requireNamespace(String name) {
        if (file.isEmpty() || file.containsKey(name)) {
            return;
        }
        try {
            if (Namespace.isName(name) && stored.apply(name).isPresent()) {
                return;
            }
        } catch (NoAnswerException | RefusedException e) {
            log.debug(
                    "cannot check whether the namespace {} is defined: {}; sending the request", name, e.getMessage());
            return;
        }
        throw wrong("no namespace has the name " + name + "; GET /v1/namespaces lists the names", "namespace");
    }

    /**
     * Reads the body of a request for one rename.
     *
     * @throws ProblemException if a field is not valid; the exception names the field
     */
    Asking read(byte[] body, From from) {
        ObjectNode json = object(body, "request", FIELDS);
        json.put("request_id", requestId(json.path("request_id"), from));
        json.set("requested_by", requestedBy(json.path("requested_by"), from.caller()));
        Usable usable = decoded(json);
        return switch (usable.asked()) {
            case InvalidRequest invalid -> throw wrong(invalid.problem(), fieldOf(invalid.problem()));
            case RenameRequest request -> new Asking(checked(request), usable.after());
        };
    }

    /**
     * Reads the body of a batch.
     *
     * @param from the values for fields that a request does not contain; a batch has no idempotency key
     * @throws ProblemException if a request is not valid; the problem contains the number of the request
     */
    List<Asking> readAll(byte[] body, From from) {
        List<Asking> read = new ArrayList<>();
        for (JsonNode request : array(body, "renames")) {
            try {
                read.add(read(Json.write(request).getBytes(StandardCharsets.UTF_8), from));
            } catch (ProblemException e) {
                throw wrong("request " + (read.size() + 1) + ": " + e.getMessage(), "renames");
            }
        }
        return read;
    }

    /**
     * Returns the only field of a body: an array of 1 to {@value #MOST} elements.
     *
     * @throws ProblemException if the body does not have this format
     */
    static JsonNode array(byte[] body, String field) {
        ObjectNode json = object(body);
        JsonNode array = json.path(field);
        if (json.size() != 1 || !array.isArray() || array.isEmpty() || array.size() > MOST) {
            throw wrong(
                    "expected an object with only the field " + field + ", which is an array of 1 to " + MOST
                            + " elements",
                    field);
        }
        return array;
    }

    /**
     * Reads the body of an undo.
     *
     * @return the version of the documents after they move back; empty if the body contains no version
     * @throws ProblemException if the body is not valid
     */
    Optional<Long> version(byte[] body) {
        if (body.length == 0) {
            return Optional.empty();
        }
        ObjectNode json = object(body);
        json.fieldNames().forEachRemaining(name -> {
            if (!name.equals("version")) {
                throw wrong("unknown field; the only field of an undo is version", name);
            }
        });
        JsonNode version = json.path("version");
        if (version.isMissingNode()) {
            return Optional.empty();
        }
        if (!version.canConvertToLong() || !version.isIntegralNumber() || version.longValue() < 1) {
            throw wrong("expected a whole number of at least 1", "version");
        }
        return Optional.of(version.longValue());
    }

    /**
     * Reads the fields of a body.
     *
     * @param kind the kind of the object, for messages
     * @throws ProblemException if the body is not a JSON object, or contains another field than the given ones
     */
    static ObjectNode object(byte[] body, String kind, Set<String> fields) {
        ObjectNode json = object(body);
        json.fieldNames().forEachRemaining(name -> {
            if (!fields.contains(name)) {
                throw wrong(
                        "unknown field; the fields of a " + kind + " are "
                                + String.join(", ", fields.stream().sorted().toList()),
                        name);
            }
        });
        return json;
    }

    private static ObjectNode object(byte[] body) {
        JsonNode json;
        try {
            json = Json.read(body);
        } catch (IOException e) {
            throw wrong("the body is not JSON, contains a field twice, or has too many values or levels", null);
        }
        if (json instanceof ObjectNode object) {
            return object;
        }
        throw wrong("the body must be a JSON object", null);
    }

    private static String requestId(JsonNode given, From from) {
        String key = from.key();
        if (!given.isMissingNode() && !given.isTextual()) {
            throw wrong("request_id must be a string", "request_id");
        }
        if (given.isTextual() && key != null && !given.textValue().equals(key)) {
            throw wrong(
                    "the header Idempotency-Key and request_id must contain the same id, found two ids", "request_id");
        }
        String id = given.isTextual() ? given.textValue() : key;
        if (id == null) {
            return from.newId().get();
        }
        RequestIds.problem(id).ifPresent(problem -> {
            throw wrong(problem, "request_id");
        });
        return id;
    }

    private static JsonNode requestedBy(JsonNode given, String caller) {
        if (given.isMissingNode() || given.isNull()) {
            return TextNode.valueOf(caller);
        }
        boolean isOwn = caller.equals(Caller.ANONYMOUS) || caller.equals(given.textValue());
        return isOwn || !given.isTextual() ? given : TextNode.valueOf(caller + " for " + given.textValue());
    }

    private static Usable decoded(ObjectNode json) {
        byte[] ascii = Json.write(json).getBytes(StandardCharsets.US_ASCII);
        if (RequestCodec.decode(ascii) instanceof Usable usable) {
            return usable;
        }
        throw new IllegalStateException(
                "expected that the decoder accepts the request that was checked before, found a refusal");
    }

    private RenameRequest checked(RenameRequest request) {
        wellFormed("namespace", request.namespace());
        wellFormed("source", request.source());
        wellFormed("destination", request.destination());
        Namespace namespace = file.get(request.namespace());
        if (namespace != null) {
            Notation notation = namespace.notation();
            notation.problem(request.source()).ifPresent(problem -> {
                throw wrong(problem, "source");
            });
            notation.problem(request.destination()).ifPresent(problem -> {
                throw wrong(problem, "destination");
            });
            if (notation.path(request.source()).isRoot()) {
                throw wrong("the root cannot be renamed", "source");
            }
        }
        return request;
    }

    private static void wellFormed(String field, String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw wrong(field + " contains a lone surrogate", field);
        }
    }

    private static @Nullable String fieldOf(String problem) {
        return Stream.of(problem.split("[ :]", 2)[0])
                .filter(FIELDS::contains)
                .findFirst()
                .orElse(null);
    }

    private static ProblemException wrong(String detail, @Nullable String field) {
        return new ProblemException(Problem.INVALID_REQUEST, detail, field);
    }
}
