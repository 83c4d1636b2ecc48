package org.treerename.elastic;

import co.elastic.clients.util.BinaryData;
import co.elastic.clients.util.ContentType;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.testservers.TestServers;

/** Direct access to the Elasticsearch server of these tests. The tests share this server and its control index. */
final class RealElastic {

    static final Elastic ELASTIC =
            Elastic.connect(Elastic.Settings.of(TestServers.elasticsearchUrl(), Duration.ofSeconds(30)));

    static final RawRequests RAW = ELASTIC.raw();

    static final ControlIndex CONTROL = created();

    private RealElastic() {}

    /** Returns a new connection with an observer. The caller must close the connection. */
    static Elastic observed(Elastic.Observer observer) {
        return Elastic.connect(Elastic.Settings.of(TestServers.elasticsearchUrl(), Duration.ofSeconds(30)), observer);
    }

    private static ControlIndex created() {
        ControlIndex control = new ControlIndex(ELASTIC);
        control.create();
        return control;
    }

    /**
     * Creates an index for a tree. Documents do not add fields to the mapping of the index.
     *
     * @param settings additional settings of the index, as JSON
     */
    static void createTreeIndex(String name, String settings) {
        RAW.put("/" + name, json("""
                {"settings": {"number_of_shards": 2, "number_of_replicas": 0, "refresh_interval": "-1", %s},
                 "mappings": {"dynamic": false, "properties": {
                   "path": {"type": "keyword"}, "parent": {"type": "keyword"}, "name": {"type": "keyword"},
                   "type": {"type": "keyword"}, "date": {"type": "date"}, "size": {"type": "double"}}}}
                """.formatted(settings)));
    }

    static void alias(String alias, String... indices) {
        for (String index : indices) {
            RAW.put("/" + index + "/_alias/" + alias, Json.object());
        }
    }

    /** Sends a bulk request with exactly this body. */
    static void bulk(String index, String text) {
        Lines lines = new Lines();
        BinaryData unchanged =
                BinaryData.of(text.strip().getBytes(StandardCharsets.UTF_8), ContentType.APPLICATION_JSON);
        lines.add(() -> List.of(unchanged).iterator());
        RAW.post("/" + index + "/_bulk", lines);
    }

    /** Writes a document as an ordinary client does, so that the ingest pipelines of the index run. */
    static void put(String index, String id, @Nullable String routing, String source) {
        String action = routing == null
                ? "{\"index\":{\"_id\":\"" + id + "\"}}"
                : "{\"index\":{\"_id\":\"" + id + "\",\"routing\":\"" + routing + "\"}}";
        // a bulk accepts only a source without line breaks; a single write accepts any source
        if (source.indexOf('\n') < 0 && source.indexOf('\r') < 0) {
            bulk(index, action + "\n" + source);
        } else {
            RawPut.put(TestServers.elasticsearchUrl() + "/" + index + "/_doc/" + encoded(id) + query(routing), source);
        }
    }

    /** Writes a document with an external version. */
    static void put(String index, String id, String source, long version) {
        RAW.put("/" + index + "/_doc/" + encoded(id) + "?version_type=external&version=" + version, json(source));
    }

    static String source(String index, String id, @Nullable String routing) {
        return new String(
                RAW.get("/" + index + "/_source/" + encoded(id) + query(routing))
                        .body(),
                StandardCharsets.UTF_8);
    }

    static JsonNode json(String text) {
        return Json.read(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String query(@Nullable String routing) {
        return routing == null ? "" : "?routing=" + encoded(routing);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
