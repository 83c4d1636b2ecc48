package org.treerename.producer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.treerename.producer.OutcomeTexts;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.Status;

class OutcomeLineTest {

    private static final RenameRequest REQUEST =
            new RenameRequest("r-1", "files", "/a\nb", "/\u001b[2Jc", OnExisting.FAIL, null);

    @Test
    void uses_the_singular_for_one_document() {
        assertThat(OutcomeLine.of(REQUEST, OutcomeTexts.completed("r-1", 1), Duration.ofMillis(49)))
                .contains("1 document moved (request r-1, 0.0 s)");
    }

    @Test
    void the_count_of_a_rename_that_was_taken_over_may_be_too_low_if_documents_may_be_left() {
        Outcome counted = OutcomeTexts.outcome("r-1", Status.COMPLETED, Reason.MAY_HAVE_LEFT, "left", 40);
        Outcome takenOver = new Outcome(
                counted.requestId(),
                counted.status(),
                counted.reason(),
                counted.message(),
                counted.moved(),
                counted.refused(),
                counted.processId(),
                true,
                counted.requestedBy(),
                counted.requestedAt(),
                counted.committedAt(),
                counted.finishedAt(),
                counted.paths());

        assertThat(OutcomeLine.of(REQUEST, takenOver, Duration.ZERO)).contains(": at least 40 documents moved;");
    }

    @Test
    void a_rename_to_its_own_source_has_renamed_nothing() {
        RenameRequest same = new RenameRequest("r-1", "files", "/a", "/a", OnExisting.FAIL, null);
        Outcome outcome =
                OutcomeTexts.outcome("r-1", Status.COMPLETED, null, "/a equals the destination; nothing to move", 0);

        assertThat(OutcomeLine.of(same, outcome, Duration.ZERO))
                .isEqualTo("/a equals the destination; nothing to move (request r-1, 0.0 s)");
    }

    @Test
    void shows_the_reason_of_a_completed_rename() {
        String line = OutcomeLine.of(
                REQUEST,
                OutcomeTexts.outcome("r-1", Status.COMPLETED, Reason.MAY_HAVE_LEFT, "some may be below /a", 2),
                Duration.ofSeconds(61));

        assertThat(line).endsWith("2 documents moved; may_have_left: some may be below /a (request r-1, 61.0 s)");
    }

    @Test
    void control_characters_in_paths_do_not_reach_the_terminal() {
        assertThat(OutcomeLine.of(REQUEST, OutcomeTexts.completed("r-1", 1), Duration.ZERO))
                .startsWith("renamed /a\\u000ab to /\\u001b[2Jc: ");
    }
}
