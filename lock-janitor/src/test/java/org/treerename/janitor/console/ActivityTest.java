package org.treerename.janitor.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.janitor.console.WaitingRequests.Sample;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.overview.InMemoryJournalSearch;
import org.treerename.runtime.ManualTime;

/**
 * Tests the data of the plots on the activity page. A closed rename of {@link Stage} ends 20 seconds after its request.
 */
final class ActivityTest {

    private static final Instant AT_10_05 = Instant.parse("2026-03-01T10:05:00Z");

    private final Stage stage = new Stage();
    private final InMemoryJournalSearch search = new InMemoryJournalSearch(stage.journal);
    private final EndedRenames ended = new EndedRenames(search);
    private final WaitingRequests waiting = new WaitingRequests(search);

    private void close(String requestId, int endSecond, String status) {
        stage.journal.create(JournalStep.CLOSE, Stage.closed(requestId, endSecond - 20, "worker-1", status));
    }

    private static Instant minute(int minute) {
        return Stage.ASKED.plus(Duration.ofMinutes(minute));
    }

    @Test
    void counts_the_renames_of_the_last_hour_by_minute_and_status() {
        close("r1", 59, "completed");
        close("r2", 60, "completed");
        close("r3", 61, "failed");
        close("r4", 119, "completed");
        stage.journal.create(JournalStep.ATTEMPT, Stage.rename("r5", State.PREPARED, 1));

        EndedRenames.Counts counts = ended.read(AT_10_05);

        assertThat(counts.minutes())
                .isEqualTo(Map.of(minute(0), Map.of("completed", 1), minute(1), Map.of("completed", 2, "failed", 1)));
        assertThat(counts.completeFrom()).isEqualTo(AT_10_05.minus(EndedRenames.KEPT));
    }

    @Test
    void counts_each_rename_once_also_if_it_becomes_visible_late() {
        close("r1", 290, "completed");
        ended.read(AT_10_05);
        close("late", 250, "rejected");
        close("r2", 301, "completed");

        for (int i = 1; i <= 3; i++) {
            EndedRenames.Counts counts = ended.read(AT_10_05.plusSeconds(5L * i));
            assertThat(counts.minutes())
                    .as("read " + i)
                    .isEqualTo(Map.of(
                            minute(4), Map.of("completed", 1, "rejected", 1), minute(5), Map.of("completed", 1)));
        }
    }

    @Test
    void forgets_the_minutes_before_the_last_hour() {
        close("r1", 60, "completed");
        close("r2", 3_500, "completed");
        ended.read(AT_10_05);

        assertThat(ended.read(AT_10_05.plus(EndedRenames.KEPT)).minutes()).containsOnlyKeys(minute(58));
    }

    @Test
    void reports_from_when_the_counts_are_complete_if_more_renames_ended_than_one_read_counts() {
        for (int i = 0; i <= EndedRenames.MOST; i++) {
            close("r" + i, 100 + i / 10, "completed");
        }

        EndedRenames.Counts first = ended.read(AT_10_05);
        EndedRenames.Counts second = ended.read(AT_10_05.plusSeconds(5));

        assertThat(first.completeFrom()).isEqualTo(Stage.ASKED.plusSeconds(100));
        assertThat(first.minutes().values().stream()
                        .mapToInt(byStatus -> byStatus.get("completed"))
                        .sum())
                .isEqualTo(EndedRenames.MOST);
        assertThat(second.completeFrom()).isEqualTo(first.completeFrom());
    }

    @Test
    void samples_the_largest_number_of_waiting_requests_and_the_oldest_wait() {
        Instant at = Instant.parse("2026-03-01T10:00:30Z");
        stage.journal.create(JournalStep.ATTEMPT, Stage.rename("r1", State.PREPARED, 10));
        stage.journal.create(JournalStep.ATTEMPT, Stage.rename("r2", State.RETRY, 20));
        stage.journal.create(JournalStep.ATTEMPT, Stage.rename("r3", State.MOVING, 0));
        assertThat(waiting.read(at.plusSeconds(2))).isEqualTo(Map.of(at, new Sample(2, Duration.ofSeconds(22))));

        var found = stage.journal.read("r1").orElseThrow();
        stage.journal.write(JournalStep.CLOSE, Stage.closed("r1", 10, "worker-1", "completed"), found.version());

        assertThat(waiting.read(at.plusSeconds(4))).isEqualTo(Map.of(at, new Sample(2, Duration.ofSeconds(22))));
        assertThat(waiting.read(at.plusSeconds(15)))
                .containsEntry(at.plusSeconds(15), new Sample(1, Duration.ofSeconds(25)));
        assertThat(waiting.read(at.plus(WaitingRequests.KEPT).plusSeconds(10)))
                .containsOnlyKeys(at.plusSeconds(15), at.plus(WaitingRequests.KEPT));
    }

    @Test
    void a_sample_without_waiting_requests_is_zero() {
        assertThat(waiting.read(AT_10_05)).isEqualTo(Map.of(AT_10_05, new Sample(0, Duration.ZERO)));
    }

    @Test
    void the_answer_contains_the_counts_and_the_samples() {
        JournalEntry waits = Stage.rename("r1", State.PREPARED, 285);
        stage.journal.create(JournalStep.ATTEMPT, waits);
        close("r2", 61, "completed");
        Views views = new Views(stage.sources(), ManualTime.startingAt(AT_10_05.toString()));

        assertThat(views.read(new Question.Activity()).toString())
                .isEqualTo("{\"minutes_from\":\"2026-03-01T09:05:00Z\","
                        + "\"minutes\":[{\"at\":\"2026-03-01T10:01:00Z\",\"completed\":1}],"
                        + "\"waiting\":[{\"at\":\"2026-03-01T10:05:00Z\",\"requests\":1,\"oldest_seconds\":15.0}]}");
    }
}
