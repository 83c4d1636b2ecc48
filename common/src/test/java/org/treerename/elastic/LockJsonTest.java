package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockJsonTest {

    private static final String SOUND = """
            { "kind": "lock", "namespace": "files", "path": "/a", "lock_type": "shared", "lock_count": 2,
              "holds": { "h1": { "request_id": "r1", "process_id": "p2", "mode": "shared", "age_millis": 0 },
                         "h2": { "request_id": "r2", "process_id": "p1", "mode": "shared", "age_millis": 0 } },
              "claims": { "r3": { "mode": "exclusive", "age_millis": 0 } },
              "hold_ids": ["h2", "h1"], "claim_ids": ["r3"], "process_ids": ["p1", "p2"] }""";

    private static JsonNode json(String text) {
        return Json.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aSoundLockDocumentDoesNotContradictItself() {
        assertThat(LockJson.contradictions(json(SOUND))).isEmpty();
        assertThat(LockJson.contradictions(json("""
                                { "kind": "lock", "namespace": "files", "path": "/a", "lock_type": null, "lock_count": 0,
                                  "holds": {}, "claims": { "r3": { "mode": "shared", "age_millis": 0 } },
                                  "hold_ids": [], "claim_ids": ["r3"], "process_ids": [] }"""))).isEmpty();
    }

    @ParameterizedTest(name = "{0} is {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "'\"lock_count\": 2'|'\"lock_count\": 3'|lock_count to be 2, found 3",
                "'\"lock_count\": 2,'|''|lock_count to be 2, found nothing",
                "'\"lock_type\": \"shared\"'|'\"lock_type\": \"exclusive\"'|lock_type to be shared, found exclusive",
                "'[\"h2\", \"h1\"]'|'[\"h1\"]'|'hold_ids to be [h1, h2], found [h1]'",
                "'\"claim_ids\": [\"r3\"]'|'\"claim_ids\": []'|'claim_ids to be [r3], found []'",
                "'[\"p1\", \"p2\"]'|'[\"p1\", \"p9\"]'|'process_ids to be [p1, p2], found [p1, p9]'"
            })
    void whatItRepeatsWronglyIsTold(String sound, String wrong, String told) {
        assertThat(SOUND).contains(sound);

        assertThat(LockJson.contradictions(json(SOUND.replace(sound, wrong))))
                .containsExactly("the lock document of /a in files: expected " + told);
    }
}
