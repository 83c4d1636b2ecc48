package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.treerename.http.Caller;
import org.treerename.journal.State;
import org.treerename.producer.http.Events.Event;
import org.treerename.producer.http.Streams.Seen;
import org.treerename.producer.http.Streams.Stream;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Status;
import org.treerename.store.NoAnswerException;

class StreamsTest {

    private static final Duration NOW = Duration.ZERO;

    private final InMemoryRenames renames = new InMemoryRenames();
    private final Streams streams = new Streams(renames, 3, 2);

    @BeforeEach
    void publishRequest() {
        var unused = renames.publish(new RenameRequest("r", "files", "/a", "/b", OnExisting.FAIL, null), List.of());
    }

    private List<String> eventsOfNextRead(Events events, Stream stream) throws InterruptedException {
        streams.poll();
        return events.of(stream.next(NOW).orElseThrow()).stream()
                .map(Event::name)
                .toList();
    }

    @Test
    void reads_the_journal_once_for_all_streams_and_not_without_streams() throws InterruptedException {
        streams.poll();
        assertThat(renames.reads).hasValue(0);

        Stream one = streams.follow("r", "me");
        Stream other = streams.follow("r", "me");
        Stream unknown = streams.follow("unknown", "you");
        streams.poll();

        assertThat(renames.reads).hasValue(1);
        assertThat(one.next(NOW)).containsInstanceOf(Seen.Rename.class);
        assertThat(other.next(NOW)).containsInstanceOf(Seen.Rename.class);
        assertThat(unknown.next(NOW)).contains(new Seen.Nothing());
        assertThat(one.next(NOW)).isEmpty();
    }

    @Test
    void a_read_that_ends_after_close_does_not_replace_the_end() throws InterruptedException {
        Stream stream = streams.follow("r", "me");
        renames.duringRead = streams::close;

        streams.poll();

        assertThat(stream.next(NOW)).contains(new Seen.Closed());
    }

    @Test
    void a_slow_stream_receives_only_the_latest_result() throws InterruptedException {
        Stream stream = streams.follow("r", "me");
        streams.poll();
        renames.move("r", 2, 3);
        streams.poll();

        Optional<Seen> seen = stream.next(NOW);

        assertThat(seen)
                .get()
                .matches(now -> now instanceof Seen.Rename latest
                        && latest.rename().entry().progress().moved() == 2);
        assertThat(stream.next(NOW)).isEmpty();
    }

    @Test
    void sends_only_changes_and_ends_with_the_outcome() throws InterruptedException {
        Stream stream = streams.follow("r", "me");
        Events events = new Events("r", () -> false);

        assertThat(eventsOfNextRead(events, stream)).containsExactly("progress");
        assertThat(eventsOfNextRead(events, stream)).isEmpty();
        renames.move("r", 1, 3);
        assertThat(eventsOfNextRead(events, stream)).containsExactly("decided", "progress");
        renames.move("r", 2, 3);
        assertThat(eventsOfNextRead(events, stream)).containsExactly("progress");
        assertThat(events.isEnded()).isFalse();
        renames.end("r", State.DONE, Status.COMPLETED);
        assertThat(eventsOfNextRead(events, stream)).containsExactly("outcome");
        assertThat(events.isEnded()).isTrue();
    }

    @Test
    void a_rename_that_ends_between_two_reads_is_decided_before_its_outcome() throws InterruptedException {
        Stream stream = streams.follow("r", "me");
        renames.end("r", State.CLOSED, Status.COMPLETED);

        assertThat(eventsOfNextRead(new Events("r", () -> false), stream)).containsExactly("decided", "outcome");
    }

    @Test
    void a_rename_that_is_rejected_is_never_decided() throws InterruptedException {
        Stream stream = streams.follow("r", "me");
        renames.end("r", State.REJECTED, Status.REJECTED);

        assertThat(eventsOfNextRead(new Events("r", () -> false), stream)).containsExactly("outcome");
    }

    @Test
    void the_event_of_a_decision_has_its_times_and_matches_the_openapi_document() throws Exception {
        Stream stream = streams.follow("r", "me");
        renames.move("r", 0, 3);
        streams.poll();

        Event decided =
                new Events("r", () -> false).of(stream.next(NOW).orElseThrow()).getFirst();

        assertThat(decided)
                .isEqualTo(new Event(
                        "decided",
                        "{\"request_id\":\"r\",\"requested_at\":\"2026-01-01T00:00:01Z\","
                                + "\"committed_at\":\"2026-01-01T00:00:01.045Z\",\"decided_after_ms\":45}"));
        assertThat(new Contract().problems("Decision", decided.data())).isEmpty();
    }

    @Test
    void a_comment_is_due_regularly_while_nothing_changes() throws InterruptedException {
        Stream stream = streams.follow("r", "me");
        Events events = new Events("r", () -> false);
        List<Boolean> due = new ArrayList<>();
        for (int i = 0; i < 2 * Events.QUIET + 1; i++) {
            eventsOfNextRead(events, stream);
            due.add(events.isQuiet());
        }

        List<Boolean> expected = new ArrayList<>(Collections.nCopies(2 * Events.QUIET + 1, false));
        expected.set(Events.QUIET, true);
        expected.set(2 * Events.QUIET, true);
        assertThat(due).isEqualTo(expected);
        renames.move("r", 1, 3);
        eventsOfNextRead(events, stream);
        assertThat(events.isQuiet()).isFalse();
    }

    @Test
    void waits_for_an_unknown_rename_before_it_reports_it_as_unknown() throws InterruptedException {
        Stream stream = streams.follow("later", "me");
        Events events = new Events("later", () -> false);
        for (int i = 1; i < Events.MOST_EMPTY_READS; i++) {
            assertThat(eventsOfNextRead(events, stream)).isEmpty();
        }
        assertThat(events.isEnded()).isFalse();

        assertThat(eventsOfNextRead(events, stream)).containsExactly("unknown");
        assertThat(events.isEnded()).isTrue();
    }

    @Test
    void sends_nothing_while_the_journal_does_not_answer() throws InterruptedException {
        Stream stream = streams.follow("r", "me");
        renames.failure = new NoAnswerException("gone", null);

        streams.poll();

        assertThat(stream.next(NOW)).isEmpty();
    }

    @Test
    void limits_the_number_of_streams() {
        Stream first = streams.follow("r", "me");
        streams.follow("r", "me");
        streams.follow("r", "you");
        assertThatThrownBy(() -> streams.follow("r", "they")).isInstanceOf(ProblemException.class);

        streams.leave(first);

        assertThat(streams.follow("r", "me").requestId()).isEqualTo("r");
    }

    @Test
    void limits_the_number_of_streams_of_each_caller_with_a_name() {
        Stream first = streams.follow("r", "me");
        streams.follow("s", "me");
        assertThatThrownBy(() -> streams.follow("t", "me"))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.answer().status()).isEqualTo(429));
        streams.follow("r", "you");

        streams.leave(first);
        streams.follow("r", "me");
        streams.close();
    }

    @Test
    void callers_without_a_name_have_no_limit_of_their_own() {
        for (int i = 0; i < 3; i++) {
            assertThat(streams.follow("r", Caller.ANONYMOUS).requestId()).isEqualTo("r");
        }
    }

    @Test
    void close_ends_all_streams_and_refuses_new_streams() throws InterruptedException {
        Stream stream = streams.follow("r", "me");

        streams.close();

        assertThat(stream.next(NOW)).contains(new Seen.Closed());
        assertThatThrownBy(() -> streams.follow("r", "me")).isInstanceOf(ProblemException.class);
    }
}
