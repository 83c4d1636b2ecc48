package org.treerename.endtoend;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;

/** A tree of files and directories in a separate index and namespace. */
final class Tree {

    private static final String MAPPING = """
        {"settings":{"number_of_shards":2,"auto_expand_replicas":"0-1"},
         "mappings":{"dynamic":false,"properties":{"path":{"type":"keyword"},"parent":{"type":"keyword"},
           "name":{"type":"keyword"},"type":{"type":"keyword"},"size":{"type":"long"}}}}\
        """;

    /** The granularity of each tree, from the system property {@code granularity}. */
    static final Granularity GRANULARITY =
            Granularity.valueOf(System.getProperty("granularity", "tree").toUpperCase(Locale.ROOT));

    private final Elasticsearch elasticsearch;
    private final String name;
    private final Map<String, String> documents = new LinkedHashMap<>();
    private int sent;

    private Tree(Elasticsearch elasticsearch, String name) {
        this.elasticsearch = elasticsearch;
        this.name = name;
    }

    /** Creates an empty tree with a unique name. */
    static Tree create() {
        return createIn(Elasticsearch.SHARED);
    }

    /** Creates an empty tree with a unique name. Each shard has one replica if Elasticsearch has several nodes. */
    static Tree createIn(Elasticsearch elasticsearch) {
        Tree tree = new Tree(elasticsearch, "tree-" + UUID.randomUUID());
        elasticsearch.put("/" + tree.name, MAPPING);
        tree.define(tree.namespace());
        return tree;
    }

    /** Creates an empty tree in the index {@link #concrete}. The name of the tree is an alias of this index. */
    static Tree createBehindAlias() {
        Tree tree = new Tree(Elasticsearch.SHARED, "tree-" + UUID.randomUUID());
        Es.put("/" + tree.concrete(), MAPPING);
        Es.put("/" + tree.concrete() + "/_alias/" + tree.name, "{}");
        tree.define(tree.namespace());
        return tree;
    }

    /** Returns the index behind the alias. */
    String concrete() {
        return name + "-1";
    }

    /** Creates an empty tree whose directories are not documents. */
    static Tree createWithoutDirectories() {
        Tree tree = new Tree(Elasticsearch.SHARED, "tree-" + UUID.randomUUID());
        Es.put("/" + tree.name, MAPPING);
        tree.define(new Namespace(tree.name, tree.name, "path", null, null, null).lockedBy(GRANULARITY));
        return tree;
    }

    Namespace namespace() {
        return Namespace.ofFiles(name, name).lockedBy(GRANULARITY);
    }

    /** Limits the number of documents that move in one second. Processes that start after this call use the limit. */
    void limit(int documentsPerSecond) {
        elasticsearch.post(
                "/" + elasticsearch.installation().controlIndex() + "/_update/namespace:" + name,
                "{\"doc\":{\"definition\":{\"documents_per_second\":%d}}}".formatted(documentsPerSecond));
    }

    private void define(Namespace namespace) {
        try (Elastic elastic = Elastic.connect(
                Elastic.Settings.of(elasticsearch.url(), Duration.ofSeconds(30)).in(elasticsearch.installation()))) {
            ControlIndex control = new ControlIndex(elastic);
            control.create();
            new ElasticNamespaces(elastic, control).define(namespace);
        }
    }

    /** Makes Elasticsearch refuse every search for more than one document. A rename fails before its commit. */
    void refuseSearches() {
        setLargestResult("1");
    }

    void acceptSearches() {
        setLargestResult("null");
    }

    private void setLargestResult(String documents) {
        elasticsearch.put("/" + name + "/_settings", "{\"index.max_result_window\":%s}".formatted(documents));
    }

    String name() {
        return name;
    }

    Tree directories(String... paths) {
        for (String path : paths) {
            add(path, "directory", "");
        }
        return this;
    }

    Tree files(String... paths) {
        for (String path : paths) {
            add(path, "file", ",\"size\":" + path.length());
        }
        return this;
    }

    /** Adds a file with a title. */
    Tree titled(String path, String title) {
        add(path, "file", ",\"title\":" + quoted(title));
        return this;
    }

    private void add(String text, String type, String more) {
        TreePath path = new TreePath(text);
        documents.put(
                "id-" + documents.size(),
                "{\"path\":%s,\"parent\":%s,\"name\":%s,\"type\":\"%s\"%s}"
                        .formatted(quoted(path.text()), quoted(path.parent().text()), quoted(path.name()), type, more));
    }

    private static String quoted(String text) {
        return Es.JSON.valueToTree(text).toString();
    }

    /** Indexes the documents that were added since the last call. */
    Tree index() {
        StringBuilder lines = new StringBuilder();
        int waiting = 0;
        for (Map.Entry<String, String> document :
                documents.entrySet().stream().skip(sent).toList()) {
            lines.append("{\"index\":{\"_id\":\"")
                    .append(document.getKey())
                    .append("\"}}\n")
                    .append(document.getValue())
                    .append('\n');
            waiting++;
            if (waiting == 5_000) {
                flush(lines);
                waiting = 0;
            }
        }
        flush(lines);
        sent = documents.size();
        elasticsearch.post("/" + name + "/_refresh", "");
        return this;
    }

    private void flush(StringBuilder lines) {
        if (!lines.isEmpty()
                && elasticsearch
                        .post("/" + name + "/_bulk", lines.toString())
                        .path("errors")
                        .asBoolean()) {
            throw new IllegalStateException(
                    "expected that all documents of " + name + " are indexed, but the bulk response has errors");
        }
        lines.setLength(0);
    }

    /** Returns the sequence numbers of the documents at and below a directory, by id. */
    SortedMap<String, Long> versionsBelow(String directory) {
        SortedMap<String, Long> versions = new TreeMap<>();
        elasticsearch.all(name).stream()
                .filter(hit -> (hit.path("_source").path("path").asText() + "/").startsWith(directory + "/"))
                .forEach(hit -> versions.put(
                        hit.path("_id").asText(), hit.path("_seq_no").asLong()));
        return versions;
    }

    /** Blocks until this namespace has no hold, no claim and no open journal entry. */
    void assertNothingLeft() {
        elasticsearch.assertNothingLeft(Set.of(name));
    }

    /** Returns the current paths of the documents, by id. */
    SortedMap<String, String> paths() {
        SortedMap<String, String> paths = new TreeMap<>();
        elasticsearch
                .all(name)
                .forEach(hit -> paths.put(
                        hit.path("_id").asText(),
                        hit.path("_source").path("path").asText()));
        return paths;
    }
}
