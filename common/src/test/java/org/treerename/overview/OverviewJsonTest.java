package org.treerename.overview;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.journal.WriteTarget;
import org.treerename.overview.ProcessSeen.Sign;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;

class OverviewJsonTest {

    @Test
    void prints_a_process() {
        ProcessDocument document = ProcessDocument.live(
                new ProcessId("worker-1"), "worker", "here", Duration.ofSeconds(30), Entries.ASKED, "uuid");

        assertThat(OverviewJson.of(new ProcessSeen(document, Sign.BEATING, Duration.ofMillis(2_500), 3)))
                .hasToString("{\"process_id\":\"worker-1\",\"service\":\"worker\",\"host\":\"here\",\"state\":\"live\","
                        + "\"sign\":\"beating\",\"still_seconds\":2.5,\"heartbeat\":0,\"lease_seconds\":30.0,"
                        + "\"started_at\":\"2026-03-01T10:00:00Z\",\"renames\":3}");
    }

    @Test
    void prints_a_rename_that_has_ended() {
        assertThat(OverviewJson.of(
                        new OwnedEntry(Entries.ended("r1", "files", "failed", 1), Optional.of(ProcessState.STOPPED))))
                .hasToString(
                        "{\"request_id\":\"r1\",\"namespace\":\"files\",\"source\":\"/a\",\"destination\":\"/elsewhere\","
                                + "\"directories\":null,\"state\":\"closed\",\"process_id\":\"worker-1\","
                                + "\"process_state\":\"stopped\",\"epoch\":1,\"requested_by\":\"Ann\","
                                + "\"requested_at\":\"2026-03-01T10:00:01Z\",\"committed_at\":null,"
                                + "\"finished_at\":\"2026-03-01T10:00:01Z\",\"expected\":0,\"moved\":0,\"passes\":0,"
                                + "\"refusals\":0,\"refused_by\":null,\"refusal\":null,\"parked\":null,"
                                + "\"outcome\":{\"status\":\"failed\"}}");
    }

    @Test
    void prints_a_writer() {
        var json = OverviewJson.of(new OwnedEntry(
                Entries.writer("w1", new WriteTarget("files", List.of("/a", "/b")), 1), Optional.empty()));

        assertThat(json.path("directories").toString()).isEqualTo("[\"/a\",\"/b\"]");
        assertThat(json.path("source").isNull()).isTrue();
        assertThat(json.path("state").asText()).isEqualTo("held");
        assertThat(json.path("process_state").asText()).isEqualTo("unknown");
        assertThat(json.path("outcome").isNull()).isTrue();
    }

    @Test
    void returns_the_status_of_a_rename_only_if_it_has_ended() {
        assertThat(OverviewJson.status(Entries.ended("r1", "files", "rejected", 1)))
                .contains("rejected");
        assertThat(OverviewJson.status(Entries.rename("r1", "files", "/a", State.MOVING, 1)))
                .isEmpty();
    }

    @Test
    void returns_the_reason_of_an_outcome_only_if_it_has_one() {
        JournalEntry open = Entries.rename("r1", "files", "/a", State.CLOSED, 1);
        String outcome = "{\"status\":\"rejected\",\"reason\":\"source_missing\"}";
        JournalEntry rejected = TestEntry.like(open)
                .ending(new Ending(open.requestedAt(), outcome))
                .build();

        assertThat(OverviewJson.reason(rejected)).contains("source_missing");
        assertThat(OverviewJson.reason(Entries.ended("r1", "files", "completed", 1)))
                .isEmpty();
        assertThat(OverviewJson.reason(open)).isEmpty();
    }

    @Test
    void marks_the_number_of_moved_documents_only_after_a_take_over() {
        ObjectNode rename =
                JsonNodeFactory.instance.objectNode().put("moved", 5).put("expected", 9);
        assertThat(OverviewJson.movedOfExpected(rename)).isEqualTo("5/9");
        ObjectNode outcome = rename.putObject("outcome").put("rolled_forward", false);
        assertThat(OverviewJson.movedOfExpected(rename)).isEqualTo("5/9");
        outcome.put("rolled_forward", true);
        assertThat(OverviewJson.movedOfExpected(rename)).isEqualTo(">=5/9");
        rename.put("moved", 9);
        assertThat(OverviewJson.movedOfExpected(rename)).isEqualTo("9/9");
    }
}
