package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;

class LockJsonTest {

    private static final String SOUND = """
            { "kind": "lock", "namespace": "files", "path": "/a",
              "notation": { "separator": "/", "leading": true, "quoted": false },
              "holds": { "h1": { "request_id": "r1", "process_id": "p2", "age_millis": 0, "x": ["/a"], "s": [] },
                         "h2": { "request_id": "r1", "process_id": "p1", "age_millis": 0, "x": ["/a"], "s": [] } },
              "claims": { "r3": { "age_millis": 0, "x": ["/a"], "s": [] } },
              "hold_ids": ["h2", "h1"], "claim_ids": ["r3"] }""";

    private static JsonNode json(String text) {
        return Json.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_sound_lock_document_does_not_contradict_itself() {
        assertThat(LockJson.contradictions(json(SOUND))).isEmpty();
        assertThat(LockJson.contradictions(json("""
                                { "kind": "lock", "namespace": "files", "path": "/a",
                                  "notation": { "separator": "/", "leading": true, "quoted": false },
                                  "holds": {}, "claims": { "r3": { "age_millis": 0, "x": [], "s": ["/a"] } },
                                  "hold_ids": [], "claim_ids": ["r3"] }"""))).isEmpty();
    }

    @ParameterizedTest(name = "{0} is {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "'[\"h2\", \"h1\"]'|'[\"h1\"]'|'hold_ids to be [h1, h2], found [h1]'",
                "'[\"h2\", \"h1\"]'|'[\"h1\", \"h2\", \"h3\"]'|'hold_ids to be [h1, h2], found [h1, h2, h3]'",
                "'\"hold_ids\": [\"h2\", \"h1\"], '|''|'hold_ids to be [h1, h2], found nothing'",
                "'\"claim_ids\": [\"r3\"]'|'\"claim_ids\": []'|'claim_ids to be [r3], found []'",
                "'\"claim_ids\": [\"r3\"]'|'\"claim_ids\": \"r3\"'|'claim_ids to be [r3], found \"r3\"'"
            })
    void reports_a_search_key_that_is_not_the_id_of_a_hold_or_claim(String sound, String wrong, String found) {
        assertThat(SOUND).contains(sound);

        assertThat(LockJson.contradictions(json(SOUND.replace(sound, wrong))))
                .containsExactly("the lock document of /a in files: expected " + found);
    }

    @Test
    void does_not_check_the_search_keys_of_the_table_of_a_bucket() {
        String ofBucket = SOUND.replace("\"path\": \"/a\"", "\"table\": \"02\"")
                .replace(", \"claim_ids\": [\"r3\"]", "")
                .replace("\"hold_ids\": [\"h2\", \"h1\"]", "\"hold_ids\": []");

        assertThat(LockJson.read(json(ofBucket)).id()).isEqualTo(new LockTable.Id("files", "02", false));
        assertThat(LockJson.contradictions(json(ofBucket))).isEmpty();
    }

    static Stream<Notation> notations() {
        return Stream.of(Notation.SLASHES, new Notation(".", false, false), new Notation("::", false, true));
    }

    @ParameterizedTest
    @MethodSource("notations")
    void reads_a_table_in_the_notation_of_its_paths(Notation notation) {
        TreePath exclusive = notation.root().child("a").child("b\"c");
        TreePath shared = notation.root().child("a").child("d");
        TreeMap<TreePath, LockMode> paths =
                new TreeMap<>(Map.of(exclusive, LockMode.EXCLUSIVE, shared, LockMode.SHARED));
        LockTable.Id id = LockTable.Id.of("files", exclusive);
        ObjectNode stored = LockJson.identity(id, notation).put("kind", "lock");
        stored.putObject("holds");
        LockJson.writePaths(stored.putObject("claims").putObject("r1").put("age_millis", 7), paths);

        LockTable read = LockJson.read(json(stored.toString()));

        assertThat(read.id()).isEqualTo(id);
        assertThat(read.claims().get("r1"))
                .isNotNull()
                .satisfies(claim -> assertThat(claim.paths()).isEqualTo(paths));
    }
}
