package org.treerename.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.kafka.RequestCodec;
import org.treerename.lock.LockSet;
import org.treerename.path.Notation;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;

class OpenRequestsTest {

    private final SteppedTime time = new SteppedTime();
    private int partition;
    private OpenRequests open = new OpenRequests(new OpenRequests.Limits(1_000, 10_000), time);

    private Outgoing add(String requestId, String source, String destination, String... given) {
        RenameRequest request = new RenameRequest(requestId, "files", source, destination, OnExisting.FAIL, null);
        return add(request, new Ordering(Notation.SLASHES, 1), given);
    }

    private Outgoing add(RenameRequest request, Ordering ordering, String... given) {
        Slot slot = new Slot(ordering.keyOf(request), partition);
        return open.add(request, slot, ordering.locksOf(request), Arrays.asList(given));
    }

    /** Adds a request, and passes the request to Kafka at once. */
    private Outgoing sent(String requestId, String source, String destination) {
        Outgoing added = add(requestId, source, destination);
        assertThat(open.begin(added)).isTrue();
        open.handed(added);
        return added;
    }

    private Outgoing acknowledged(String requestId, String source, String destination) {
        Outgoing sent = sent(requestId, source, destination);
        open.acknowledged(sent);
        return sent;
    }

    @Test
    void a_request_without_overlap_is_sent_at_once_and_names_no_other() {
        sent("r1", "/a/x", "/b/x");
        Outgoing next = add("r2", "/c", "/d");
        assertThat(open.begin(next)).isTrue();
        assertThat(open.begin(next)).isFalse();
        assertThat(open.after(next)).isEmpty();
    }

    private Outgoing addTerm(String requestId, String source, String destination) {
        RenameRequest request = new RenameRequest(requestId, "terms", source, destination, OnExisting.FAIL, null);
        return add(request, new Ordering(new Notation(".", false, true), 2));
    }

    @Test
    void notation_and_ordering_depth_decide_the_overlap_and_the_key() {
        Outgoing first = addTerm("r1", "a.b.c", "x");
        assertThat(first.slot().key()).isEqualTo("terms.a.b");
        assertThat(open.begin(first)).isTrue();
        assertThat(open.begin(addTerm("r2", "a.\"b.c\"", "y"))).isTrue();
        assertThat(open.begin(addTerm("r3", "a.b.c.d", "z"))).isFalse();
        assertThat(open.begin(addTerm("r4", "/a/b", "/c"))).isTrue();
    }

    @Test
    void an_overlap_under_the_same_key_in_another_partition_waits_for_the_earlier_request_and_names_it() {
        Outgoing first = sent("r1", "/a/x", "/b/x");
        partition = 7;
        Outgoing second = add("r2", "/a/x", "/c/x");
        assertThat(open.begin(second)).isFalse();

        assertThat(open.acknowledged(first)).containsExactly(second);

        assertThat(open.after(second)).containsExactly("r1");
    }

    @Test
    void an_overlap_under_the_same_key_is_sent_after_the_earlier_request_and_names_no_other() {
        Outgoing first = add("r1", "/a/x", "/b/x");
        Outgoing second = add("r2", "/a/x", "/c/x");
        assertThat(open.begin(second)).isFalse();

        assertThat(open.begin(first)).isTrue();
        assertThat(open.handed(first)).containsExactly(second);
        assertThat(open.after(second)).isEmpty();
    }

    @Test
    void an_overlap_under_another_key_is_sent_after_the_acknowledgement_and_names_the_earlier_request() {
        Outgoing first = sent("r1", "/a/x", "/b/x");
        Outgoing second = add("r2", "/b/x", "/c/x");
        assertThat(open.begin(second)).isFalse();

        assertThat(open.acknowledged(first)).containsExactly(second);
        assertThat(open.after(second)).containsExactly("r1");
    }

    @Test
    void a_waiting_request_is_not_overtaken_by_a_later_overlap() {
        Outgoing first = sent("r1", "/a/x", "/b/x");
        Outgoing second = add("r2", "/b/x", "/c/x");
        Outgoing third = add("r3", "/b/x/y", "/b/z");
        Outgoing fourth = add("r4", "/c/x", "/d/x");
        assertThat(open.begin(third)).isFalse();
        assertThat(open.begin(fourth)).isFalse();

        assertThat(open.acknowledged(first)).containsExactly(second);
        assertThat(open.handed(second)).containsExactly(third);
        assertThat(open.after(third)).containsExactly("r1");
        assertThat(open.acknowledged(second)).containsExactly(fourth);
        assertThat(open.after(fourth)).containsExactly("r2");
    }

    @Test
    void an_ended_request_is_neither_waited_for_nor_named() {
        acknowledged("r1", "/a/x", "/b/x");
        Outgoing second = sent("r2", "/c/x", "/b/y");
        Outgoing third = add("r3", "/b", "/d");

        open.ended("r1");
        assertThat(open.acknowledged(second)).containsExactly(third);

        assertThat(open.after(third)).containsExactly("r2");
    }

    @Test
    void a_request_without_acknowledgement_is_neither_waited_for_nor_named() {
        Outgoing first = sent("r1", "/a/x", "/b/x");
        Outgoing second = add("r2", "/b/x", "/c/x");

        assertThat(open.failed(first)).containsExactly(second);

        assertThat(open.after(second)).isEmpty();
        assertThat(open.size()).isEqualTo(1);
    }

    @Test
    void names_the_requests_of_the_caller_and_waits_for_the_open_ones() {
        Outgoing first = sent("r1", "/a/x", "/b/x");
        Outgoing second = add("r2", "/e", "/f", "r1", "of-another");
        assertThat(open.begin(second)).isFalse();

        assertThat(open.acknowledged(first)).containsExactly(second);
        assertThat(open.after(second)).containsExactly("r1", "of-another");
    }

    @Test
    void the_same_request_sent_again_does_not_wait_for_itself() {
        Outgoing first = acknowledged("r1", "/a/x", "/b/x");
        Outgoing again = add("r1", "/a/x", "/b/x");
        assertThat(first).isNotSameAs(again);
        assertThat(open.begin(again)).isTrue();
        assertThat(open.after(again)).isEmpty();
    }

    @Test
    void a_request_with_too_many_overlaps_waits_until_enough_of_them_have_ended() {
        for (int i = 0; i < RequestCodec.MAX_AFTER + 2; i++) {
            acknowledged("r" + i, "/a/" + i, "/b/" + i);
        }
        Outgoing all = add("all", "/b", "/c");
        assertThat(open.begin(all)).isFalse();

        assertThat(open.ended("r7")).isEmpty();
        assertThat(open.ended("r0")).containsExactly(all);
        assertThat(open.after(all)).hasSize(RequestCodec.MAX_AFTER).doesNotContain("r0", "r7");
    }

    @Test
    void a_request_that_can_only_be_rejected_waits_for_no_other() {
        acknowledged("r1", "/a", "/b");
        assertThat(open.begin(add("r2", "/", "relative"))).isTrue();
    }

    @Test
    void a_request_without_an_outcome_for_a_day_counts_as_ended() {
        acknowledged("r1", "/a/x", "/b/x");
        time.advance(OpenRequests.FORGOTTEN_AFTER.minusSeconds(1));
        assertThat(open.forgotten()).isEmpty();
        assertThat(open.after(add("r2", "/b/x", "/c/x"))).containsExactly("r1");

        time.advance(OpenRequests.FORGOTTEN_AFTER);
        open.forgotten();
        assertThat(open.after(add("r3", "/b/x", "/d/x"))).isEmpty();
    }

    @Test
    void limits_the_open_requests_and_the_waits_between_them() {
        open = new OpenRequests(new OpenRequests.Limits(4, 3), time);
        sent("r1", "/a/x", "/b/x");
        sent("r2", "/a/y", "/b/y");
        add("r3", "/b", "/c");
        assertThatThrownBy(() -> add("r4", "/b", "/d"))
                .isInstanceOf(NoOutcomeException.class)
                .hasMessage(
                        "request r4 was not sent: too many requests of this producer have no known outcome (requests:"
                                + " 3, requests that must end before this request: 3); send this request again when some of these"
                                + " requests have ended");
        add("r5", "/f", "/g");
        assertThatThrownBy(() -> add("r6", "/h", "/i"))
                .isInstanceOf(NoOutcomeException.class)
                .hasMessageStartingWith("request r6 was not sent: too many requests of this producer have no known"
                        + " outcome (requests: 4, requests that must end before this request: 0)");
    }

    @Test
    void close_completes_when_no_request_waits_and_waiting_requests_can_be_abandoned() {
        Outgoing first = sent("r1", "/a/x", "/b/x");
        Outgoing second = add("r2", "/b/x", "/c/x");
        Outgoing third = add("r3", "/c/x", "/d/x");
        assertThat(open.close()).isNotDone();
        assertThatThrownBy(() -> add("r4", "/x", "/y")).isInstanceOf(NoOutcomeException.class);

        assertThat(open.acknowledged(first)).containsExactly(second);
        open.handed(second);
        assertThat(open.close()).isNotDone();
        assertThat(open.abandoned()).containsExactly(third);
        assertThat(open.abandoned()).isEmpty();
        open.failed(third);
        assertThat(open.close()).isDone();
    }

    /**
     * Checks each pair of overlapping requests when the later request is passed to Kafka:
     *
     * <ul>
     *   <li>if the earlier request has ended, the later request does not contain the id of the earlier request;
     *   <li>otherwise, if the slots are equal, the earlier request was passed to Kafka before;
     *   <li>otherwise Kafka has acknowledged the earlier request, and the later request contains the id of the earlier
     *       request.
     * </ul>
     */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void random_requests_keep_their_order(long seed) {
        Random random = new Random(seed);
        List<Outgoing> all = new ArrayList<>();
        List<Outgoing> ready = new ArrayList<>();
        List<Outgoing> handed = new ArrayList<>();
        List<Outgoing> acknowledged = new ArrayList<>();
        Map<Outgoing, LockSet> over = new HashMap<>();
        int named = 0;
        for (int i = 0; over.size() < 1_000; i++) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    if (all.size() - over.size() < 60) {
                        Outgoing added = add("r" + i, path(random), path(random));
                        all.add(added);
                        if (open.begin(added)) {
                            ready.add(added);
                        }
                    }
                }
                case 1 -> {
                    if (!ready.isEmpty()) {
                        Outgoing next = ready.remove(random.nextInt(ready.size()));
                        List<String> after = open.after(next);
                        named += after.size();
                        for (Outgoing earlier : all.subList(0, all.indexOf(next))) {
                            if (over.containsKey(earlier) || !earlier.locks().conflictsWith(next.locks())) {
                                assertThat(after).doesNotContain(earlier.requestId());
                            } else if (earlier.slot().equals(next.slot())) {
                                assertThat(handed.contains(earlier) || acknowledged.contains(earlier))
                                        .isTrue();
                            } else {
                                assertThat(after).contains(earlier.requestId());
                                assertThat(acknowledged).contains(earlier);
                            }
                        }
                        ready.addAll(open.handed(next));
                        handed.add(next);
                    }
                }
                case 2 -> {
                    if (!handed.isEmpty()) {
                        Outgoing next = handed.remove(random.nextInt(handed.size()));
                        if (random.nextInt(10) == 0) {
                            over.put(next, next.locks());
                            ready.addAll(open.failed(next));
                        } else {
                            acknowledged.add(next);
                            ready.addAll(open.acknowledged(next));
                        }
                    }
                }
                default -> {
                    if (!acknowledged.isEmpty()) {
                        Outgoing next = acknowledged.remove(random.nextInt(acknowledged.size()));
                        over.put(next, next.locks());
                        ready.addAll(open.ended(next.requestId()));
                    }
                }
            }
        }
        assertThat(named).isGreaterThan(100);
        for (Outgoing added : all) {
            if (!over.containsKey(added)) {
                open.failed(added);
            }
        }
        assertThat(open.size()).isZero();
        assertThat(open.waits()).isZero();
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder();
        int depth = 1 + random.nextInt(3);
        for (int i = 0; i < depth; i++) {
            path.append('/').append((char) ('a' + random.nextInt(5)));
        }
        return path.toString();
    }
}
