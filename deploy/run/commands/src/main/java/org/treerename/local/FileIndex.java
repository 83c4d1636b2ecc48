package org.treerename.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.path.TreePath;

/**
 * The index of a tree of files. Each document has these fields:
 *
 * <pre>{@code
 * { "path": "/usr/share/doc", "parent": "/usr/share", "name": "doc", "type": "directory | file", "size": 0,
 *   "modified": "2026-01-01T00:00:00Z", "contents": "the beginning of a text file" }
 * }</pre>
 */
final class FileIndex {

    private static final int TERMS = 1_000;
    private static final int EXAMPLES = 5;

    private final ElasticsearchHttp http;
    private final String name;

    FileIndex(ElasticsearchHttp http, String name) {
        this.http = http;
        this.name = name;
    }

    /** Creates the index if it does not exist. */
    void create() {
        if (http.get(name).isOk()) {
            return;
        }
        http.put(name, definition()).json();
    }

    private static JsonNode definition() {
        try (InputStream in = FileIndex.class.getResourceAsStream("files-index.json")) {
            if (in == null) {
                throw new IllegalStateException(
                        "expected the resource files-index.json in the package of " + FileIndex.class + ", found none");
            }
            return ElasticsearchHttp.MAPPER.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void refresh() {
        http.post(name + "/_refresh").json();
    }

    long count() {
        return http.get(name + "/_count").json().required("count").asLong();
    }

    BulkWriter writer() {
        return new BulkWriter(http, name);
    }

    /**
     * Returns the types of the documents at these paths, by path. The map does not contain paths without a document.
     */
    Map<TreePath, String> typesAt(Collection<TreePath> paths) {
        Map<TreePath, String> types = new HashMap<>();
        for (List<TreePath> batch : parts(paths)) {
            ObjectNode search = ElasticsearchHttp.MAPPER.createObjectNode().put("size", 10 * TERMS);
            ArrayNode terms = search.putObject("query").putObject("terms").putArray("path");
            batch.forEach(path -> terms.add(path.text()));
            search.putArray("_source").add("path").add("type");
            for (JsonNode hit : http.post(name + "/_search?allow_partial_search_results=false", search)
                    .json()
                    .path("hits")
                    .path("hits")) {
                JsonNode source = hit.required("_source");
                types.put(
                        new TreePath(source.required("path").asText()),
                        source.path("type").asText());
            }
        }
        return types;
    }

    /**
     * Checks that none of these paths has a document.
     *
     * @throws IllegalArgumentException if a path has a document; the message contains the first of these paths
     */
    void requireFree(Collection<TreePath> paths) {
        List<TreePath> occupied = typesAt(paths).keySet().stream().sorted().toList();
        if (!occupied.isEmpty()) {
            throw new IllegalArgumentException(
                    "paths that already have a document in the index " + name + ": " + occupied.size()
                            + ", for example " + occupied.subList(0, Math.min(EXAMPLES, occupied.size()))
                            + ". No document was written; choose another place with --at");
        }
    }

    private static List<List<TreePath>> parts(Collection<TreePath> paths) {
        List<TreePath> all = new ArrayList<>(paths);
        List<List<TreePath>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += TERMS) {
            parts.add(all.subList(from, Math.min(all.size(), from + TERMS)));
        }
        return parts;
    }
}
