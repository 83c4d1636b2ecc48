package org.treerename.janitor.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.janitor.console.Question.Renames.Phase;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Progress;
import org.treerename.journal.State;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.overview.Cursors;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.process.Pause;
import org.treerename.process.ProcessState;
import org.treerename.runtime.ManualTime;

final class ViewsTest {

    private final Stage stage = new Stage();
    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:30Z");
    private final Views views = new Views(stage.sources(), time);

    private static List<String> texts(JsonNode array, String field) {
        return array.findValuesAsText(field);
    }

    @Test
    void now_shows_the_processes_and_the_number_of_entries_in_each_state() {
        stage.begins("worker-1");
        stage.journal.create(JournalStep.ATTEMPT, Stage.rename("r1", State.PREPARED, 1));
        stage.journal.create(JournalStep.ATTEMPT, Stage.rename("r2", State.PREPARED, 2));
        stage.journal.create(JournalStep.CLOSE, Stage.closed("r3", 3, "worker-1", "completed"));
        views.read(new Question.Now());
        time.advance(Duration.ofSeconds(2));
        stage.beats("worker-1");

        JsonNode now = views.read(new Question.Now());

        assertThat(now.at("/states/prepared").asInt()).isEqualTo(2);
        assertThat(now.at("/states/closed").asInt()).isEqualTo(1);
        assertThat(now.at("/states/parked").asInt(-1)).isZero();
        assertThat(now.at("/processes/0/process_id").asText()).isEqualTo("worker-1");
        assertThat(now.at("/processes/0/sign").asText()).isEqualTo("beating");
        assertThat(now.at("/processes/0/renames").asInt()).isEqualTo(2);
    }

    @Test
    void now_shows_the_pause_of_all_workers_while_it_exists() {
        stage.pause = Optional.of(new Pause(Stage.ASKED, "me"));
        assertThat(views.read(new Question.Now()).path("pause").asText())
                .isEqualTo("paused since 2026-03-01T10:00:00Z by me");
        assertThat(views.read(new Question.Now()).path("pause_since").asText()).isEqualTo("2026-03-01T10:00:00Z");

        stage.pause = Optional.empty();
        assertThat(views.read(new Question.Now()).path("pause").isNull()).isTrue();
        assertThat(views.read(new Question.Now()).path("pause_since").isNull()).isTrue();
    }

    @Test
    void shows_ten_thousand_renames_page_by_page_each_once() {
        for (int i = 0; i < 10_000; i++) {
            stage.journal.create(JournalStep.ATTEMPT, Stage.rename("r" + i, State.PREPARED, i));
        }
        List<String> ids = new ArrayList<>();
        LockPriority after = null;
        int pages = 0;
        do {
            JsonNode page = views.read(new Question.Renames(Phase.WAITING, Stage.FILES, after));
            assertThat(page.path("renames").size()).isLessThanOrEqualTo(Views.PAGE);
            ids.addAll(texts(page.path("renames"), "request_id"));
            after = page.path("next").isNull()
                    ? null
                    : Cursors.age(page.path("next").asText());
            pages++;
        } while (after != null);

        assertThat(ids).hasSize(10_000).doesNotHaveDuplicates().startsWith("r0", "r1");
        assertThat(pages).isGreaterThanOrEqualTo(100);
        assertThat(views.read(new Question.Renames(Phase.MOVING, null, null)).path("renames"))
                .isEmpty();
    }

    @Test
    void shows_the_rate_of_a_rename_after_it_was_observed_to_move() {
        Question moving = new Question.Renames(Phase.MOVING, null, null);
        stage.journal.create(JournalStep.ATTEMPT, Stage.moving("r1", 1, "worker-1", new Progress(1_000, 100, 1)));
        assertThat(views.read(moving).at("/renames/0/documents_per_second").isNull())
                .isTrue();
        time.advance(Duration.ofSeconds(2));
        var found = stage.journal.read("r1").orElseThrow();
        stage.journal.write(
                JournalStep.NO_OP, Stage.moving("r1", 1, "worker-1", new Progress(1_000, 500, 1)), found.version());

        JsonNode rename = views.read(moving).at("/renames/0");

        assertThat(rename.path("documents_per_second").asDouble()).isEqualTo(200);
        assertThat(rename.path("seconds_left").asDouble()).isEqualTo(2.5);
        views.forget(moving);
        assertThat(views.read(moving).at("/renames/0/documents_per_second").isNull())
                .as("no progress is kept of a forgotten question")
                .isTrue();
    }

    @Test
    void shows_one_rename_with_its_rate_and_its_process() {
        stage.begins("worker-1");
        Question.Request asked = new Question.Request("r1");
        stage.journal.create(JournalStep.ATTEMPT, Stage.moving("r1", 1, "worker-1", new Progress(1_000, 100, 1)));
        assertThat(views.read(asked).at("/rename/documents_per_second").isNull())
                .isTrue();
        time.advance(Duration.ofSeconds(2));
        var found = stage.journal.read("r1").orElseThrow();
        stage.journal.write(
                JournalStep.NO_OP, Stage.moving("r1", 1, "worker-1", new Progress(1_000, 500, 1)), found.version());

        JsonNode answer = views.read(asked);

        assertThat(answer.path("missing").isNull()).isTrue();
        JsonNode rename = answer.path("rename");
        assertThat(rename.path("request_id").asText()).isEqualTo("r1");
        assertThat(rename.path("state").asText()).isEqualTo("moving");
        assertThat(rename.path("process_state").asText()).isEqualTo("live");
        assertThat(rename.path("documents_per_second").asDouble()).isEqualTo(200);
        assertThat(rename.path("story").isNull()).isTrue();
    }

    @Test
    void shows_the_history_of_a_rename_that_was_taken_over() {
        stage.journal.create(JournalStep.CLOSE, Stage.closed("r1", 1, "janitor-1", "completed"));

        JsonNode rename = views.read(new Question.Request("r1")).path("rename");

        assertThat(rename.at("/outcome/status").asText()).isEqualTo("completed");
        assertThat(rename.path("story").asText())
                .contains("worker-1 committed the rename at", "janitor-1 took over the rename");
    }

    @Test
    void says_why_there_is_no_rename_of_an_id() {
        JsonNode unknown = views.read(new Question.Request("r1"));
        JsonNode invalid = views.read(new Question.Request("x".repeat(201)));

        assertThat(unknown.path("rename").isNull()).isTrue();
        assertThat(unknown.path("missing").asText()).startsWith("the journal has no entry for this request");
        assertThat(invalid.path("rename").isNull()).isTrue();
        assertThat(invalid.path("missing").asText()).contains("200 bytes", "found 201");
    }

    @Test
    void shows_the_requests_that_each_claim_waits_for_and_the_locked_path_above_each_path() {
        stage.attempts("r1", 1, "/a/b/c", LockMode.EXCLUSIVE);
        stage.attempts("r2", 2, "/a", LockMode.SHARED);
        stage.attempts("r3", 3, "/a/b/c", LockMode.SHARED);
        stage.attempts("r4", 4, "/a/b/c", LockMode.EXCLUSIVE);
        stage.attempts("r5", 5, "/ab", LockMode.SHARED);

        JsonNode locks = views.read(new Question.Locks(null, null, null)).path("locks");

        assertThat(texts(locks, "path")).containsExactly("/a", "/a/b/c", "/ab");
        assertThat(locks.at("/1/above").asText()).isEqualTo("/a");
        assertThat(locks.at("/0/above").isNull()).isTrue();
        assertThat(locks.at("/2/above").isNull()).isTrue();
        JsonNode holders = locks.at("/1/holders");
        assertThat(texts(holders, "request_id")).containsExactlyInAnyOrder("r1", "r3", "r4");
        for (JsonNode holder : holders) {
            List<String> waits = new ArrayList<>();
            holder.path("waits_for").forEach(id -> waits.add(id.asText()));
            switch (holder.path("request_id").asText()) {
                case "r1" -> assertThat(waits).isEmpty();
                case "r3" -> assertThat(waits).containsExactly("r1");
                default -> assertThat(waits).containsExactlyInAnyOrder("r1", "r3");
            }
        }
    }

    @Test
    void limits_the_holders_of_a_path_and_the_requests_that_a_claim_waits_for() {
        for (int i = 0; i < 50; i++) {
            stage.attempts("r" + i, i, "/a", LockMode.SHARED);
        }
        stage.attempts("late", 60, "/a", LockMode.EXCLUSIVE);

        JsonNode lock = views.read(new Question.Locks(Stage.FILES, "/a", null)).at("/locks/0");

        assertThat(lock.path("holders_found").asInt()).isEqualTo(51);
        JsonNode holders = lock.path("holders");
        assertThat(holders).hasSize(Views.HOLDERS + 1);
        assertThat(holders.path(Views.HOLDERS).path("request_id").asText()).isEqualTo("late");
        assertThat(holders.path(Views.HOLDERS).path("waits_for_found").asInt()).isEqualTo(50);
        assertThat(holders.path(Views.HOLDERS).path("waits_for")).hasSize(Views.HOLDERS);
    }

    @Test
    void refuses_locks_of_an_unknown_namespace_or_of_an_invalid_path() {
        assertThatThrownBy(() -> views.read(new Question.Locks("nowhere", "/a", null)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> views.read(new Question.Locks(Stage.FILES, "a", null)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void finds_ended_renames_by_state_and_text() {
        stage.journal.create(JournalStep.CLOSE, Stage.closed("r1", 1, "worker-1", "completed"));
        stage.journal.create(JournalStep.CLOSE, Stage.closed("r2", 2, "worker-1", "failed"));
        stage.journal.create(JournalStep.ATTEMPT, Stage.rename("r3", State.PREPARED, 3));
        Filter ended = Filter.ALL.in(Question.Outcomes.ENDED);

        assertThat(texts(views.read(new Question.Outcomes(ended, null)).path("renames"), "request_id"))
                .containsExactly("r2", "r1");
        assertThat(texts(
                        views.read(new Question.Outcomes(ended.with("R1"), null))
                                .path("renames"),
                        "request_id"))
                .containsExactly("r1");
    }

    @Test
    void shows_only_take_overs_each_with_its_history() {
        stage.begins("worker-1");
        stage.becomes("worker-1", ProcessState.FENCED);
        JournalEntry taken = Stage.closed("r1", 1, "janitor-1", "completed");
        stage.journal.create(JournalStep.ATTEMPT, taken);
        stage.journal.create(JournalStep.CLOSE, Stage.closed("r2", 2, "worker-1", "completed"));
        stage.journal.create(JournalStep.ATTEMPT, Stage.moving("r3", 3, "janitor-2", new Progress(1_000, 200, 1)));

        JsonNode renames = views.read(new Question.TakeOvers()).path("renames");

        assertThat(texts(renames, "request_id")).containsExactly("r3", "r1");
        assertThat(renames.at("/0/story").asText())
                .isEqualTo(
                        "worker-1 committed the rename at 2026-03-01T10:00:08Z. That process was fenced, and janitor-2"
                                + " took over the rename (epoch 2). The rename is being rolled forward: 200 of 1,000"
                                + " documents are known to have moved.");
        assertThat(renames.at("/1/story").asText())
                .isEqualTo(
                        "worker-1 committed the rename at 2026-03-01T10:00:06Z. That process was fenced, and janitor-1"
                                + " took over the rename (epoch 2). The rename ended at 2026-03-01T10:00:21Z, 15.0 s"
                                + " after the commit; 1,500 of 1,500 documents are known to have moved.");
    }
}
