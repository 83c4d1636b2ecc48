package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

@Timeout(60)
final class GroupCommitTest {

    private static final int SIZE = 10;

    private final List<List<Integer>> sent = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch firstBegan = new CountDownLatch(1);
    private final CountDownLatch firstMayEnd = new CountDownLatch(1);

    /**
     * Answers each number with the negative of this number. The first group blocks until the test counts down {@code
     * firstMayEnd}.
     */
    private final GroupCommit<Integer, Integer> groups =
            new GroupCommit<>(new GroupCommit.Limits<>(1, SIZE, one -> 1), asked::incrementAndGet, group -> {
                sent.add(List.copyOf(group));
                firstBegan.countDown();
                await(firstMayEnd);
                if (group.contains(13)) {
                    throw new RefusedException("400 for " + group);
                }
                if (group.contains(66)) {
                    throw new AssertionError("unexpected");
                }
                if (group.contains(99)) {
                    throw new NoAnswerException("503", null);
                }
                return group.stream().map(one -> -one).toList();
            });

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes a request in a new thread, and returns when the thread waits. */
    private CompletableFuture<Integer> asking(int number) {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                answer.complete(groups.ask(number));
            } catch (RuntimeException | AssertionError e) {
                answer.completeExceptionally(e);
            }
        });
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return answer;
    }

    private CompletableFuture<Integer> first() {
        CompletableFuture<Integer> first = asking(0);
        await(firstBegan);
        return first;
    }

    @Test
    void sends_a_single_request_alone_and_at_once() {
        firstMayEnd.countDown();

        assertThat(groups.ask(7)).isEqualTo(-7);

        assertThat(sent).containsExactly(List.of(7));
    }

    @Test
    void announces_each_request() {
        firstMayEnd.countDown();

        groups.ask(7);
        groups.ask(8);

        assertThat(asked).hasValue(2);
    }

    @Test
    void a_request_whose_leader_failed_unexpectedly_gets_no_answer() {
        CompletableFuture<Integer> first = first();
        CompletableFuture<Integer> leading = asking(66);
        CompletableFuture<Integer> led = asking(1);
        firstMayEnd.countDown();

        assertThat(first.join()).isZero();
        assertThatThrownBy(leading::join).hasRootCauseInstanceOf(AssertionError.class);
        assertThatThrownBy(led::join).hasCauseInstanceOf(NoAnswerException.class);
    }

    @Test
    void sends_waiting_requests_together_in_their_order_and_returns_each_its_own_answer() {
        CompletableFuture<Integer> first = first();
        List<CompletableFuture<Integer>> others = List.of(asking(1), asking(2), asking(3));

        firstMayEnd.countDown();

        assertThat(first.join()).isZero();
        assertThat(others.stream().map(CompletableFuture::join)).containsExactly(-1, -2, -3);
        assertThat(sent).containsExactly(List.of(0), List.of(1, 2, 3));
    }

    @Test
    void sends_a_request_that_does_not_fit_with_the_next_group() {
        CompletableFuture<Integer> first = first();
        List<CompletableFuture<Integer>> others = new ArrayList<>();
        for (int i = 1; i <= SIZE + 1; i++) {
            others.add(asking(i));
        }

        firstMayEnd.countDown();

        others.forEach(CompletableFuture::join);
        assertThat(first.join()).isZero();
        assertThat(sent.stream().map(List::size)).containsExactly(1, SIZE, 1);
    }

    @Test
    void sends_a_request_that_is_too_large_for_any_group_alone() {
        GroupCommit<Integer, Integer> small =
                new GroupCommit<>(new GroupCommit.Limits<>(1, 1, one -> 100), () -> {}, group -> group);

        assertThat(small.ask(5)).isEqualTo(5);
    }

    @Test
    void a_refused_request_does_not_fail_the_others_in_its_group() {
        CompletableFuture<Integer> first = first();
        CompletableFuture<Integer> good = asking(1);
        CompletableFuture<Integer> refused = asking(13);
        CompletableFuture<Integer> alsoGood = asking(2);

        firstMayEnd.countDown();

        assertThat(List.of(first.join(), good.join(), alsoGood.join())).containsExactly(0, -1, -2);
        assertThatThrownBy(refused::join)
                .hasCauseInstanceOf(RefusedException.class)
                .hasMessageContaining("400 for [13]");
    }

    @Test
    void a_group_without_an_answer_fails_all_its_requests_and_is_not_sent_again() {
        CompletableFuture<Integer> first = first();
        List<CompletableFuture<Integer>> others = List.of(asking(1), asking(99));

        firstMayEnd.countDown();

        others.forEach(other -> assertThatThrownBy(other::join).hasCauseInstanceOf(NoAnswerException.class));
        assertThat(first.join()).isZero();
        assertThat(sent).containsExactly(List.of(0), List.of(1, 99));
    }

    @Test
    void an_interrupted_thread_gets_its_answer_and_stays_interrupted() {
        firstMayEnd.countDown();
        Thread.currentThread().interrupt();

        int answer = groups.ask(1);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(answer).isEqualTo(-1);
    }

    /** Each group of several requests takes 100 ms. So the group after it must wait for 100 ms. */
    @Test
    @Timeout(30)
    void a_paced_group_waits_as_long_as_the_previous_group_of_several_took() {
        AtomicLong now = new AtomicLong();
        List<List<Integer>> paced = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        GroupCommit<Integer, Integer> groups =
                new GroupCommit<>(new GroupCommit.Limits<>(1, SIZE, one -> 1, true), now::get, () -> {}, group -> {
                    paced.add(List.copyOf(group));
                    begun.countDown();
                    await(mayEnd);
                    now.addAndGet(group.size() > 1 ? 100_000_000 : 0);
                    return group;
                });
        List<Thread> threads = new ArrayList<>();
        threads.add(waiting(groups, 1, Thread.State.WAITING));
        await(begun);
        threads.add(waiting(groups, 2, Thread.State.WAITING));
        threads.add(waiting(groups, 3, Thread.State.WAITING));
        mayEnd.countDown();
        threads.forEach(GroupCommitTest::join);

        List<Thread> next =
                List.of(waiting(groups, 4, Thread.State.TIMED_WAITING), waiting(groups, 5, Thread.State.WAITING));
        assertThat(paced).containsExactly(List.of(1), List.of(2, 3));
        next.getFirst().interrupt();
        now.addAndGet(100_000_000);
        next.forEach(GroupCommitTest::join);

        assertThat(paced).containsExactly(List.of(1), List.of(2, 3), List.of(4, 5));
    }

    private static Thread waiting(GroupCommit<Integer, Integer> groups, int number, Thread.State state) {
        Thread thread = Thread.ofPlatform().start(() -> groups.ask(number));
        while (thread.getState() != state) {
            assertThat(Thread.currentThread().isInterrupted())
                    .as("interrupted by the timeout while thread %d is %s", number, thread.getState())
                    .isFalse();
            Thread.onSpinWait();
        }
        return thread;
    }

    @Test
    void loses_and_repeats_no_request_and_limits_the_number_of_concurrent_groups() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger members = new AtomicInteger();
        GroupCommit<Integer, Integer> busy =
                new GroupCommit<>(new GroupCommit.Limits<>(3, SIZE, one -> 1 + one % 4), () -> {}, group -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    members.addAndGet(group.size());
                    LockSupport.parkNanos(1);
                    running.decrementAndGet();
                    return List.copyOf(group);
                });
        int threads = 64;
        int each = 2_000;
        AtomicInteger wrong = new AtomicInteger();
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int begin = t * each;
            all.add(Thread.ofVirtual().start(() -> {
                for (int i = begin; i < begin + each; i++) {
                    if (busy.ask(i) != i) {
                        wrong.incrementAndGet();
                    }
                }
            }));
        }

        all.forEach(GroupCommitTest::join);

        assertThat(members).hasValue(threads * each);
        assertThat(wrong).hasValue(0);
        assertThat(most).hasValueBetween(1, 3);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
