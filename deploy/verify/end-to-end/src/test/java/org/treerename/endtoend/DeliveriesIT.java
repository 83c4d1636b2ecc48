package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.treerename.installation.Installation;

/**
 * Tests the outcomes and dead letters that a real worker publishes for valid records, malformed records and repeated
 * records.
 */
final class DeliveriesIT {

    private static Log log;
    private static Workers workers;

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
        workers = Workers.start(1, "--lock-wait=2s");
    }

    @AfterAll
    static void stop() {
        workers.close();
        log.close();
    }

    @Test
    void processes_a_record_without_a_key() {
        Tree tree = Tree.create().directories("/a").files("/a/f").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b")
                .put("requested_by", "Zoë")
                .put("a_field_of_a_later_version", true);

        log.send(3, request.toString());
        JsonNode outcome = log.outcome(Requests.id(request));

        assertThat(tree.paths().values()).containsExactly("/b", "/b/f");
        assertThat(outcome.path("status").asText()).isEqualTo("completed");
        assertThat(outcome.path("reason").isNull()).isTrue();
        assertThat(outcome.path("moved").asInt()).isEqualTo(2);
        assertThat(outcome.path("requested_by").asText()).isEqualTo("Zoë");
        assertThat(outcome.path("rolled_forward").asBoolean(true)).isFalse();
        assertThat(outcome.path("process_id").asText()).startsWith("worker-");
        assertThat(Instant.parse(outcome.path("requested_at").asText()))
                .isBeforeOrEqualTo(Instant.parse(outcome.path("committed_at").asText()));
        assertThat(Instant.parse(outcome.path("committed_at").asText()))
                .isBeforeOrEqualTo(Instant.parse(outcome.path("finished_at").asText()));
    }

    @Test
    void a_group_without_committed_offsets_begins_with_the_requests_that_wait_already() {
        Installation fresh = new Installation("fresh-group");
        ObjectNode waiting = Requests.rename("nowhere", "/a", "/b");
        try (Log log = Log.of(fresh)) {
            log.send(0, waiting.toString());
            try (Workers worker = Workers.start(1, "--prefix=" + fresh.prefix(), "--group-id=" + fresh.workers())) {
                assertThat(log.outcome(Requests.id(waiting)).path("reason").asText())
                        .isEqualTo("unknown_namespace");
                assertThat(worker.ids()).hasSize(1);
            }
        }
    }

    @Test
    void a_request_of_an_aborted_transaction_has_no_effect() {
        Tree tree = Tree.create().directories("/a", "/x").index();
        ObjectNode aborted = Requests.rename(tree.name(), "/a", "/b");
        ObjectNode later = Requests.rename(tree.name(), "/x", "/y");

        log.sendAborted(2, aborted.toString());
        log.send(2, later.toString());

        assertThat(log.outcome(Requests.id(later)).path("status").asText()).isEqualTo("completed");
        assertThat(tree.paths().values()).containsExactly("/a", "/y");
        assertThat(Es.entry(Requests.id(aborted))).isEmpty();
    }

    @Test
    void a_rename_whose_source_equals_its_destination_completes_and_moves_no_document() {
        Tree tree = Tree.create().directories("/a").files("/a/f").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/a");

        log.send(0, request.toString());
        JsonNode outcome = log.outcome(Requests.id(request));

        assertThat(outcome.path("status").asText()).isEqualTo("completed");
        assertThat(outcome.path("moved").asInt(-1)).isZero();
        assertThat(tree.paths().values()).containsExactly("/a", "/a/f");
    }

    @Test
    void a_sibling_that_shares_the_prefix_stays_where_it_is() {
        Tree tree = Tree.create()
                .directories("/a", "/ab", "/a b")
                .files("/a/f", "/ab/f", "/a b/f", "/a!", "/a0")
                .index();

        ObjectNode request = Requests.rename(tree.name(), "/a", "/c");
        log.send(0, request.toString());
        log.outcome(Requests.id(request));

        assertThat(tree.paths().values())
                .containsExactlyInAnyOrder("/c", "/c/f", "/ab", "/ab/f", "/a b", "/a b/f", "/a!", "/a0");
    }

    @Test
    void replaces_a_file_and_an_empty_directory_at_the_destination_if_requested() {
        Tree tree = Tree.create()
                .directories("/a", "/empty")
                .files("/a/f", "/old", "/new")
                .index();

        ObjectNode file = Requests.rename(tree.name(), "/new", "/old").put("on_existing", "replace");
        ObjectNode directory = Requests.rename(tree.name(), "/a", "/empty").put("on_existing", "replace");
        log.send(0, file.toString());
        log.send(1, directory.toString());

        assertThat(log.outcome(Requests.id(file)).path("status").asText()).isEqualTo("completed");
        assertThat(log.outcome(Requests.id(directory)).path("status").asText()).isEqualTo("completed");
        assertThat(tree.paths()).containsOnlyKeys("id-0", "id-2", "id-4").containsEntry("id-4", "/old");
        assertThat(tree.paths().values()).containsExactlyInAnyOrder("/empty", "/empty/f", "/old");
    }

    @Test
    void a_request_that_is_delivered_again_is_applied_once_and_answered_with_the_same_bytes() {
        Tree tree = Tree.create().directories("/a").files("/a/f").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        String id = Requests.id(request);

        log.send(0, request.toString());
        String first = log.outcomeText(id, 1);
        tree.directories("/a").index();
        log.send(1, request.toString());
        log.send(2, request.toPrettyString());

        assertThat(log.outcomeText(id, 3)).isEqualTo(first);
        assertThat(log.outcomes(id)).hasSize(3).containsOnly(first);
        assertThat(Es.entry(id)).isPresent();
    }

    @Test
    void a_different_request_with_a_used_id_becomes_a_dead_letter_and_the_first_outcome_stays() {
        Tree tree = Tree.create().directories("/a", "/c").files("/a/f").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        log.send(0, request.toString());
        String first = log.outcomeText(Requests.id(request), 1);

        ObjectNode other = request.deepCopy().put("source", "/c").put("destination", "/d");
        RecordMetadata place = log.send(5, "k", other.toString().getBytes(StandardCharsets.UTF_8));
        ConsumerRecord<byte[], byte[]> letter = log.deadLetter(place);

        assertThat(Log.header(letter, "dlt-reason")).isEqualTo("request_id_reused");
        assertThat(letter.value()).asString(StandardCharsets.UTF_8).isEqualTo(other.toString());
        assertThat(tree.paths().values()).containsExactlyInAnyOrder("/b", "/b/f", "/c");
        assertThat(log.outcomes(Requests.id(request))).containsExactly(first);
    }

    @Test
    void malformed_records_do_not_block_the_valid_ones_behind_them() {
        Tree tree = Tree.create().directories("/a", "/x").index();
        ObjectNode first = Requests.rename(tree.name(), "/a", "/b");
        ObjectNode unknown = Requests.rename("nowhere", "/a", "/b");
        ObjectNode last = Requests.rename(tree.name(), "/x", "/y");
        byte[] broken = "{\"request_id\": \"broken\", ".getBytes(StandardCharsets.UTF_8);
        byte[] large = ("\"" + "x".repeat(900 * 1024) + "\"").getBytes(StandardCharsets.UTF_8);
        ObjectNode largeWithId = Requests.rename(tree.name(), "/" + "x".repeat(900 * 1024), "/b");

        log.send(6, first.toString());
        RecordMetadata brokenPlace = log.send(6, "key", broken);
        log.send(6, unknown.toString());
        RecordMetadata largePlace = log.send(6, null, large);
        log.send(6, largeWithId.toString());
        RecordMetadata emptyPlace = log.send(6, null, new byte[0]);
        RecordMetadata noIdPlace = log.send(6, null, "{\"request_id\": 7}".getBytes(StandardCharsets.UTF_8));
        log.send(6, last.toString());

        assertThat(log.outcome(Requests.id(last)).path("status").asText()).isEqualTo("completed");
        assertThat(log.outcome(Requests.id(first)).path("status").asText()).isEqualTo("completed");
        assertThat(log.outcome(Requests.id(unknown)).path("reason").asText()).isEqualTo("unknown_namespace");
        assertThat(log.outcome(Requests.id(largeWithId)).path("reason").asText())
                .isEqualTo("invalid_path");
        assertDeadLetter(brokenPlace, "not_json", broken);
        assertDeadLetter(largePlace, "not_an_object", large);
        assertDeadLetter(emptyPlace, "empty", new byte[0]);
        assertDeadLetter(noIdPlace, "no_request_id", "{\"request_id\": 7}".getBytes(StandardCharsets.UTF_8));
        assertThat(tree.paths().values()).containsExactlyInAnyOrder("/b", "/y");
    }

    private static void assertDeadLetter(RecordMetadata place, String reason, byte[] value) {
        ConsumerRecord<byte[], byte[]> letter = log.deadLetter(place);
        assertThat(Log.header(letter, "dlt-reason")).isEqualTo(reason);
        assertThat(Log.header(letter, "dlt-topic")).isEqualTo("rename.requests");
        assertThat(letter.value()).isEqualTo(value);
    }

    @Test
    void a_rename_that_does_not_get_its_locks_fails_and_names_the_holder() {
        Tree tree = Tree.create().directories("/a").index();
        String holder = UUID.randomUUID().toString();
        Holding.of(tree.name(), "/a", holder);
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");

        log.send(0, request.toString());
        JsonNode outcome = log.outcome(Requests.id(request));

        assertThat(outcome.path("status").asText()).isEqualTo("failed");
        assertThat(outcome.path("reason").asText()).isEqualTo("locked");
        assertThat(outcome.path("message").asText()).contains("/a", holder, "another-process");
        assertThat(outcome.path("committed_at").isNull()).isTrue();
        assertThat(tree.paths().values()).containsExactly("/a");
        assertThat(Holding.holdsAt(tree.name(), "/a")).containsExactly(Holding.holdOf(holder));
        assertThat(Claims.in(tree.name())).isEmpty();

        Holding.release(tree.name(), "/a", holder);
        ObjectNode again = Requests.rename(tree.name(), "/a", "/b");
        log.send(0, again.toString());
        assertThat(log.outcome(Requests.id(again)).path("status").asText()).isEqualTo("completed");
    }

    @Test
    void a_missing_index_fails_the_rename_and_not_the_worker() {
        Tree gone = Tree.create();
        Tree there = Tree.create().directories("/a").index();
        Es.send("DELETE", "/" + gone.name(), "");
        ObjectNode lost = Requests.rename(gone.name(), "/a", "/b");
        ObjectNode next = Requests.rename(there.name(), "/a", "/b");

        log.send(4, lost.toString());
        log.send(4, next.toString());

        assertThat(log.outcome(Requests.id(lost)).path("reason").asText()).isEqualTo("tree_refused");
        assertThat(log.outcome(Requests.id(next)).path("status").asText()).isEqualTo("completed");
    }
}
