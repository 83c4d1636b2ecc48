package org.treerename.checker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockDumpTest {

    private static JsonNode json(String text) throws JsonProcessingException {
        return ElasticsearchHttp.MAPPER.readTree(text);
    }

    private static LockDump.Hold hold(String path, String mode) {
        return new LockDump.Hold("files", path, mode, "h1", "r1", "worker-1");
    }

    @Test
    void lists_each_path_of_a_hold_and_of_a_claim() throws JsonProcessingException {
        JsonNode table = json("""
            { "kind": "lock", "namespace": "files", "table": "11",
              "holds": { "h1": { "request_id": "r1", "process_id": "worker-1", "age_millis": 1,
                                 "x": ["/a", "/b"], "s": ["/c/d"] } },
              "claims": { "r2": { "age_millis": 2, "x": ["/a/e"], "s": ["/c"] } } }""");

        assertThat(LockDump.of(List.of(table)))
                .isEqualTo(new LockDump(
                        List.of(hold("/a", "exclusive"), hold("/b", "exclusive"), hold("/c/d", "shared")),
                        List.of(
                                new LockDump.Claim("files", "/a/e", "exclusive", "r2"),
                                new LockDump.Claim("files", "/c", "shared", "r2"))));
    }

    @Test
    void lists_a_hold_once_if_the_tables_of_a_bucket_and_of_a_document_contain_it() throws JsonProcessingException {
        String holds = """
            "holds": { "h1": { "request_id": "r1", "process_id": "worker-1", "age_millis": 1, "x": ["/a"], "s": [] } },
            "claims": {}""";
        JsonNode ofBucket = json("{ \"namespace\": \"files\", \"table\": \"11\", " + holds + "}");
        JsonNode ofDocument =
                json("{ \"namespace\": \"files\", \"path\": \"/a\", \"hold_ids\": [\"h1\"], " + holds + "}");

        assertThat(LockDump.of(List.of(ofBucket, ofDocument)))
                .isEqualTo(new LockDump(List.of(hold("/a", "exclusive")), List.of()));
    }
}
