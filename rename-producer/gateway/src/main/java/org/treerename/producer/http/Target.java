package org.treerename.producer.http;

import java.util.List;
import java.util.Set;
import org.treerename.request.RequestIds;

/**
 * The resource that the path of a request names. In the path, only ids and names of namespaces may be percent-encoded.
 */
sealed interface Target {

    String RENAMES = "/v1/renames";

    String BATCHES = "/v1/batches";

    String LOOKUPS = "/v1/lookups";

    String FORECASTS = "/v1/forecasts";

    String NAMESPACES = "/v1/namespaces/";

    record Renames() implements Target {}

    record Rename(String id) implements Target {}

    record Events(String id) implements Target {}

    /** The reverse rename of a rename. */
    record Undo(String id) implements Target {}

    /** The forecasts of renames. A request for a forecast starts no rename. */
    record Forecasts() implements Target {}

    /** Several requests that are sent together. */
    record Batches() implements Target {}

    /** Several renames that are read together. */
    record Lookups() implements Target {}

    /** The definitions of all namespaces. */
    record Namespaces() implements Target {}

    /** The entries directly below a path of a namespace. */
    record Entries(String namespace) implements Target {}

    /** The search for documents of a namespace. */
    record Search(String namespace) implements Target {}

    record OpenApi() implements Target {}

    record Nothing() implements Target {}

    /** Returns the methods that the resource supports. */
    default Set<String> methods() {
        return switch (this) {
            case Renames renames -> Set.of("GET", "POST");
            case Rename rename -> Set.of("DELETE", "GET");
            case Events events -> Set.of("GET");
            case Undo undo -> Set.of("POST");
            case Forecasts forecasts -> Set.of("POST");
            case Batches batches -> Set.of("POST");
            case Lookups lookups -> Set.of("POST");
            case Namespaces namespaces -> Set.of("GET");
            case Entries entries -> Set.of("GET");
            case Search search -> Set.of("POST");
            case OpenApi document -> Set.of("GET");
            case Nothing nothing -> Set.of();
        };
    }

    /**
     * Returns the resource that a path names.
     *
     * @param rawPath the path of a URL, still percent-encoded
     * @throws ProblemException if an id is not valid
     */
    static Target of(String rawPath) {
        List<String> segments = List.of(rawPath.split("/", -1));
        if (rawPath.equals("/v1/openapi.json")) {
            return new OpenApi();
        }
        if (rawPath.equals(FORECASTS)) {
            return new Forecasts();
        }
        if (rawPath.equals(BATCHES)) {
            return new Batches();
        }
        if (rawPath.equals(LOOKUPS)) {
            return new Lookups();
        }
        if (rawPath.equals("/v1/namespaces")) {
            return new Namespaces();
        }
        if (rawPath.startsWith(NAMESPACES) && segments.size() == 5) {
            return ofNamespace(segments.get(3), segments.get(4));
        }
        if (segments.size() < 3
                || !rawPath.startsWith(RENAMES)
                || !segments.get(2).equals("renames")) {
            return new Nothing();
        }
        boolean isOfOne = segments.size() > 3 && !segments.get(3).isEmpty();
        return switch (segments.size()) {
            case 3 -> new Renames();
            case 4 -> isOfOne ? new Rename(id(segments.get(3))) : new Nothing();
            case 5 -> isOfOne ? ofRename(segments.get(3), segments.get(4)) : new Nothing();
            default -> new Nothing();
        };
    }

    private static Target ofRename(String segment, String resource) {
        return switch (resource) {
            case "events" -> new Events(id(segment));
            case "undo" -> new Undo(id(segment));
            default -> new Nothing();
        };
    }

    private static Target ofNamespace(String segment, String resource) {
        String namespace = Percent.decode(segment).orElse("");
        return switch (resource) {
            case "entries" -> new Entries(namespace);
            case "search" -> new Search(namespace);
            default -> new Nothing();
        };
    }

    private static String id(String segment) {
        String id =
                Percent.decode(segment).orElseThrow(() -> wrong("the id in the path must be percent-encoded UTF-8"));
        RequestIds.problem(id).ifPresent(problem -> {
            throw wrong(problem);
        });
        return id;
    }

    private static ProblemException wrong(String detail) {
        return new ProblemException(Problem.INVALID_REQUEST, detail, "id");
    }

    /** Returns the path of one rename in the API of the gateway. */
    static String pathOf(String requestId) {
        return RENAMES + "/" + Percent.encode(requestId);
    }
}
