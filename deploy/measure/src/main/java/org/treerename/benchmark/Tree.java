package org.treerename.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import org.treerename.benchmark.TreeDocuments.Kind;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;

/** A tree of files in its own index and namespace. */
final class Tree {

    /** The largest number of files that {@link #fill} creates in one directory. */
    private static final int FILES = 99;

    private static final int BULK = 5_000;
    private static final Duration REQUEST = Duration.ofSeconds(60);
    private static final String MAPPING = """
            {"settings": {"number_of_shards": %d, "number_of_replicas": 0},
             "mappings": {"dynamic": false, "properties": {
               "path": {"type": "keyword"}, "parent": {"type": "keyword"}, "name": {"type": "keyword"},
               "type": {"type": "keyword"}, "size": {"type": "long"}, "modified": {"type": "date"},
               "contents": {"type": "text"}}}}""";

    private final Es es;
    private final String name;
    private final Random random;
    private final TreeDocuments documents;
    private final StringBuilder lines = new StringBuilder();
    private int waiting;
    private long ids;

    private Tree(Es es, String name, Kind kind) {
        this.es = es;
        this.name = name;
        this.random = new Random(name.hashCode());
        this.documents = new TreeDocuments(kind, random);
    }

    /**
     * Creates an empty tree with documents of the usual size and with the granularity {@code tree}.
     *
     * @param name the name of the index and of the namespace
     */
    static Tree create(Stage stage, String name, int shards) {
        return create(stage, name, shards, Kind.USUAL, Granularity.TREE);
    }

    /** Creates an empty tree whose documents will have the size {@code kind}. */
    static Tree create(Stage stage, String name, int shards, Kind kind, Granularity granularity) {
        stage.es().put(name, MAPPING.formatted(shards)).orThrow();
        try (Elastic elastic = Elastic.connect(Elastic.Settings.of(stage.elasticsearchUrl(), REQUEST))) {
            new ElasticNamespaces(elastic, new ControlIndex(elastic))
                    .define(Namespace.ofFiles(name, name).lockedBy(granularity));
        }
        return new Tree(stage.es(), name, kind);
    }

    String name() {
        return name;
    }

    /**
     * Creates one document for each directory. The number of documents in {@link #fill} does not include these
     * documents.
     */
    Tree directories(String... paths) {
        for (String path : paths) {
            add(path, true);
        }
        send();
        return this;
    }

    /** Creates one document for each file. */
    Tree files(String... paths) {
        for (String path : paths) {
            add(path, false);
        }
        send();
        return this;
    }

    /**
     * Creates a directory with files and subdirectories. {@code documents} is the number of all created documents,
     * including the document of the directory.
     */
    Tree fill(String directory, long documents) {
        Kind kind = this.documents.kind();
        String in = directory;
        for (long i = 0; i < documents; i++) {
            if (i % (FILES + 1) == 0) {
                in = i == 0 ? directory : directory + "/" + kind.directory(i);
                add(in, true);
            } else {
                add(in + "/" + kind.file(i), false);
            }
        }
        send();
        return this;
    }

    private void add(String path, boolean directory) {
        ObjectNode document = directory ? documents.directory(path) : documents.file(path);
        lines.append("{\"create\":{\"_id\":\"%016x-%d\"}}\n".formatted(random.nextLong(), ids++))
                .append(Es.text(document))
                .append('\n');
        if (++waiting == BULK) {
            send();
        }
    }

    private void send() {
        if (waiting > 0) {
            byte[] body = lines.toString().getBytes(StandardCharsets.UTF_8);
            JsonNode answer = es.bulk(name + "/_bulk?filter_path=errors", body).json();
            if (answer.path("errors").asBoolean(true)) {
                throw new IllegalStateException(
                        "expected that Elasticsearch accepts all documents of " + name + ", but it refused some");
            }
            lines.setLength(0);
            waiting = 0;
        }
    }

    /**
     * Merges the index into one segment without deleted documents, refreshes it, and writes it to the disk. So work
     * that is left from earlier measurements does not slow down the next measurement.
     */
    void settle() {
        es.post(name + "/_flush", "").orThrow();
        es.post(name + "/_forcemerge?max_num_segments=1", "").orThrow();
        refresh();
        Disk.sync();
    }

    void refresh() {
        es.post(name + "/_refresh", "").orThrow();
    }

    /** Returns the number of documents that a search finds at or below a path. */
    long count(String path) {
        return es.post(name + "/_count", "{\"query\":%s}".formatted(at(path)))
                .json()
                .path("count")
                .asLong();
    }

    /** Returns the query for the documents at or below a path. */
    static String at(String path) {
        return String.format(
                Locale.ROOT,
                "{\"bool\":{\"should\":[{\"term\":{\"path\":\"%s\"}},{\"prefix\":{\"path\":\"%s/\"}}]}}",
                path,
                path);
    }
}
