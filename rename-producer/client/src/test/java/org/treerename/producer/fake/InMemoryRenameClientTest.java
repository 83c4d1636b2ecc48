package org.treerename.producer.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.treerename.namespace.Namespace;
import org.treerename.producer.NoOutcomeException;
import org.treerename.producer.NotCommittedException;
import org.treerename.producer.OutcomePosition;
import org.treerename.producer.OutcomeStart;
import org.treerename.producer.OutcomeSubscription;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.Sent;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.Status;

class InMemoryRenameClientTest {

    private final InMemoryRenameClient client = InMemoryRenameClient.of(Namespace.ofFiles("files", "files"));

    private RenameRequest request(String id, String source, String destination) {
        return client.rename("files", source, destination).requestId(id).build();
    }

    private Outcome send(String source, String destination) {
        return client.send(client.rename("files", source, destination).build()).join();
    }

    private static void assertRejected(Outcome outcome, Reason reason, String message) {
        assertThat(outcome.status()).isEqualTo(Status.REJECTED);
        assertThat(outcome.reason()).isEqualTo(reason);
        assertThat(outcome.message()).isEqualTo(message);
        assertThat(outcome.committedAt()).isNull();
    }

    @Test
    void a_directory_moves_with_everything_below_it() {
        client.tree("files").addDirectory("/a").addFile("/a/1").addFile("/ab", "other");

        Outcome outcome = send("/a", "/b");

        assertThat(outcome.status()).isEqualTo(Status.COMPLETED);
        assertThat(outcome.message()).isEqualTo("renamed /a to /b");
        assertThat(outcome.moved()).isEqualTo(2);
        assertThat(outcome.paths()).isEqualTo(new Outcome.Paths("files", "/a", "/b"));
        assertThat(outcome.committedAt()).isEqualTo(outcome.finishedAt());
        assertThat(client.tree("files").paths()).containsExactly("/ab", "/b", "/b/1");
        assertThat(client.tree("files").path("other")).contains("/ab");
    }

    @Test
    void rejects_what_a_worker_rejects_and_changes_nothing() {
        client.tree("files")
                .addDirectory("/a")
                .addFile("/a/1")
                .addDirectory("/taken")
                .addFile("/file");
        List<String> before = client.tree("files").paths();

        assertRejected(send("/none", "/b"), Reason.SOURCE_NOT_FOUND, "no document is at or below /none");
        assertRejected(send("/a", "/taken"), Reason.DESTINATION_EXISTS, "/taken exists");
        assertRejected(send("/a", "/a/b"), Reason.INTO_ITSELF, "/a/b lies below /a");
        assertRejected(send("/a", "/no/b"), Reason.DESTINATION_PARENT_NOT_FOUND, "there is no directory /no");
        assertRejected(
                send("/a", "/file/b"), Reason.ANCESTOR_IS_A_FILE, "/file is a file, so no document can be below it");
        assertRejected(send("/", "/b"), Reason.INVALID_PATH, "source: the root cannot be renamed");
        assertRejected(
                client.send(client.rename("other", "/a", "/b").build()).join(),
                Reason.UNKNOWN_NAMESPACE,
                "no namespace is called \"other\"");
        assertThat(client.tree("files").paths()).isEqualTo(before);
    }

    @Test
    void replaces_a_file_and_an_empty_directory() {
        client.tree("files")
                .addDirectory("/a")
                .addFile("/a/1", "kept")
                .addDirectory("/empty")
                .addFile("/f", "gone");

        client.send(client.rename("files", "/a/1", "/f").replace().build()).join();
        client.send(client.rename("files", "/a", "/empty").replace().build()).join();

        assertThat(client.outcomes()).extracting(Outcome::status).containsOnly(Status.COMPLETED);
        assertThat(client.tree("files").paths()).containsExactly("/empty", "/f");
        assertThat(client.tree("files").path("kept")).contains("/f");
        assertThat(client.tree("files").path("gone")).isEmpty();
    }

    @Test
    void a_request_that_is_sent_again_has_its_effect_once() {
        client.tree("files").addDirectory("/a");

        Outcome first = client.send(request("r1", "/a", "/b")).join();
        client.send(request("r2", "/b", "/a")).join();
        Outcome again = client.send(request("r1", "/a", "/b")).join();

        assertThat(again).isEqualTo(first);
        assertThat(client.outcomes()).hasSize(3);
        assertThat(client.tree("files").paths()).containsExactly("/a");
    }

    @Test
    void another_request_with_a_used_id_gets_no_outcome() {
        client.tree("files").addDirectory("/a");
        client.send(request("r1", "/a", "/b")).join();

        CompletableFuture<Outcome> reused = client.send(request("r1", "/b", "/c"));

        assertThat(reused).isNotDone();
        client.close();
        assertThatThrownBy(reused::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(NoOutcomeException.class);
    }

    @Test
    void a_request_after_an_unknown_request_is_rejected() {
        client.tree("files").addDirectory("/a");

        Sent sent = client.submit(request("r2", "/a", "/b"), List.of("r1"));

        assertRejected(
                sent.outcome().join().outcome(),
                Reason.UNKNOWN_PREDECESSOR,
                "depends on request r1, which has no journal entry");
    }

    @Test
    void an_invalid_request_id_fails_the_futures() {
        Sent sent = client.submit(request("", "/a", "/b"));

        assertThat(sent.acknowledged()).isCompletedExceptionally();
        assertThatThrownBy(() -> sent.outcome().get()).hasCauseInstanceOf(IllegalArgumentException.class);
        assertThat(client.outcomes()).isEmpty();
    }

    @Test
    void a_paused_client_processes_requests_in_their_order_when_it_resumes() {
        client.tree("files").addDirectory("/a");
        client.pause();

        Sent first = client.submit(request("r1", "/a", "/b"));
        Sent second = client.submit(request("r2", "/b", "/c"), List.of("r1"));
        assertThat(first.acknowledged()).isCompleted();
        assertThat(first.outcome()).isNotDone();
        client.resume();

        assertThat(second.outcome().join().outcome().status()).isEqualTo(Status.COMPLETED);
        assertThat(client.tree("files").paths()).containsExactly("/c");
    }

    @Test
    void follow_completes_the_decision_or_fails_it() {
        client.tree("files").addDirectory("/a");
        List<String> calls = new ArrayList<>();
        ProgressListener listener = new ProgressListener() {
            @Override
            public void acknowledged() {
                calls.add("acknowledged");
            }
        };

        assertThat(client.follow(request("r1", "/a", "/b"), List.of(), listener).decided())
                .isCompleted();
        assertThatThrownBy(() ->
                        client.follow(request("r2", "/none", "/c")).decided().get())
                .hasCauseInstanceOf(NotCommittedException.class);
        assertThat(calls).containsExactly("acknowledged");
    }

    @Test
    void a_listener_receives_all_outcomes_from_its_start() {
        client.tree("files").addDirectory("/a");
        client.send(request("r1", "/a", "/b")).join();
        List<String> group = new ArrayList<>();
        List<String> end = new ArrayList<>();
        List<String> after = new ArrayList<>();

        client.subscribe(
                OutcomeStart.group("g"),
                (ended, position) -> group.add(ended.outcome().requestId()));
        client.subscribe(
                OutcomeStart.end(), (ended, position) -> end.add(ended.outcome().requestId()));
        client.subscribe(
                OutcomeStart.after(List.of(new OutcomePosition(0, 0))),
                (ended, position) -> after.add(ended.outcome().requestId() + " " + position.offset()));
        client.send(request("r2", "/b", "/c")).join();

        assertThat(group).containsExactly("r1", "r2");
        assertThat(end).containsExactly("r2");
        assertThat(after).containsExactly("r2 1");
    }

    @Test
    void a_group_continues_where_its_last_listener_ended() {
        client.tree("files").addDirectory("/a");
        List<String> received = new ArrayList<>();
        OutcomeSubscription first = client.subscribe(
                OutcomeStart.group("g"),
                (ended, position) -> received.add("1 " + ended.outcome().requestId()));
        client.send(request("r1", "/a", "/b")).join();
        first.close();
        client.send(request("r2", "/b", "/c")).join();

        client.subscribe(
                OutcomeStart.group("g"),
                (ended, position) -> received.add("2 " + ended.outcome().requestId()));

        assertThat(received).containsExactly("1 r1", "2 r2");
        assertThat(first.isRunning()).isFalse();
    }

    @Test
    void a_listener_that_fails_receives_the_same_outcome_again() {
        client.tree("files").addDirectory("/a");
        List<String> received = new ArrayList<>();
        client.subscribe(OutcomeStart.end(), (ended, position) -> {
            received.add(ended.outcome().requestId());
            if (received.size() == 1) {
                throw new IllegalStateException("a failure of the listener, as the test expects");
            }
        });

        client.send(request("r1", "/a", "/b")).join();
        client.deliverAgain();

        assertThat(received).containsExactly("r1", "r1");
    }

    @Test
    void a_listener_may_send_a_request() {
        client.tree("files").addDirectory("/a");
        List<String> received = new ArrayList<>();
        client.subscribe(OutcomeStart.end(), (ended, position) -> {
            received.add(ended.outcome().requestId());
            if (received.size() == 1) {
                client.send(request("r2", "/b", "/c")).join();
            }
        });

        client.send(request("r1", "/a", "/b")).join();

        assertThat(received).containsExactly("r1", "r2");
        assertThat(client.tree("files").paths()).containsExactly("/c");
    }
}
