package org.treerename.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.path.Granularity;
import org.treerename.path.Namespace;

/**
 * A tree of small files in an index and a namespace of its own. Its documents, of some 300 bytes:
 *
 * <pre>{@code
 * { "path": "/tree/a/directory-1/file-2.txt", "parent": "/tree/a/directory-1", "name": "file-2.txt",
 *   "type": "directory | file", "size": 4711, "modified": "2026-01-01T00:00:00Z", "contents": "a few words" }
 * }</pre>
 */
final class Tree {

    /** In one directory, besides the directory itself. */
    private static final int FILES = 99;

    private static final int BULK = 5_000;
    private static final int WORDS = 12;
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
    private final StringBuilder lines = new StringBuilder();
    private int waiting;
    private long ids;

    private Tree(Es es, String name) {
        this.es = es;
        this.name = name;
        this.random = new Random(name.hashCode());
    }

    /**
     * An empty one.
     *
     * @param name of its index and of its namespace
     */
    static Tree create(Stage stage, String name, int shards) {
        return create(stage, name, shards, Granularity.TREE);
    }

    /** An empty one whose renames lock so. */
    static Tree create(Stage stage, String name, int shards, Granularity granularity) {
        stage.es().put(name, MAPPING.formatted(shards)).orThrow();
        try (Elastic elastic = Elastic.connect(Elastic.Settings.of(stage.elasticsearchUrl(), REQUEST))) {
            new ElasticNamespaces(elastic, new ControlIndex(elastic))
                    .define(Namespace.ofFiles(name, name).lockedBy(granularity));
        }
        return new Tree(stage.es(), name);
    }

    String name() {
        return name;
    }

    /** Makes directories that are to be there and not to be counted. */
    Tree directories(String... paths) {
        for (String path : paths) {
            add(path, true);
        }
        send();
        return this;
    }

    /** Makes a directory with so many documents, the directory's own among them. */
    Tree fill(String directory, long documents) {
        String in = directory;
        for (long i = 0; i < documents; i++) {
            if (i % (FILES + 1) == 0) {
                in = i == 0 ? directory : directory + "/directory-" + i;
                add(in, true);
            } else {
                add(in + "/file-" + i + ".txt", false);
            }
        }
        send();
        return this;
    }

    private void add(String path, boolean directory) {
        int end = path.lastIndexOf('/');
        ObjectNode document = Es.JSON
                .createObjectNode()
                .put("path", path)
                .put("parent", end == 0 ? "/" : path.substring(0, end))
                .put("name", path.substring(end + 1))
                .put("type", directory ? "directory" : "file")
                .put("size", directory ? 0 : random.nextInt(1_000_000))
                .put("modified", "2026-01-01T00:00:%02dZ".formatted(random.nextInt(60)));
        if (!directory) {
            StringBuilder words = new StringBuilder();
            for (int i = 0; i < WORDS; i++) {
                words.append(Long.toString(random.nextLong(1L << 40), 36)).append(' ');
            }
            document.put("contents", words.toString());
        }
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
                throw new IllegalStateException("not all documents of " + name + " were taken");
            }
            lines.setLength(0);
            waiting = 0;
        }
    }

    /** One segment without deleted documents, all of it searchable: nobody pays for what was done before. */
    void settle() {
        es.post(name + "/_flush", "").orThrow();
        es.post(name + "/_forcemerge?max_num_segments=1", "").orThrow();
        es.post(name + "/_refresh", "").orThrow();
    }

    /** How many stand at a path or below it, as a search shows them. */
    long count(String path) {
        return es.post(name + "/_count", "{\"query\":%s}".formatted(at(path)))
                .json()
                .path("count")
                .asLong();
    }

    /** The query for what stands at a path or below it. */
    static String at(String path) {
        return String.format(
                Locale.ROOT,
                "{\"bool\":{\"should\":[{\"term\":{\"path\":\"%s\"}},{\"prefix\":{\"path\":\"%s/\"}}]}}",
                path,
                path);
    }
}
