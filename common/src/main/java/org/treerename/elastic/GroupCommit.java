package org.treerename.elastic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Sends the parts of several threads as one request, and returns to each thread the answer to its part. The threads
 * whose parts are in one request are the members of a group. No thread waits until a group is full. If fewer groups
 * than the limit are in progress, a thread sends its part at once. This request also contains the parts of all waiting
 * threads. If the limits require pacing, {@link Pacing} delays a group that follows a group of several members. Any
 * thread may call this class. A call blocks until the answer arrives. Databases use the same method, which is called
 * group commit (DeWitt et al., 1984).
 *
 * <p>A group is sent after all its members have called {@link #ask}. So the request of the group sees every write that
 * was acknowledged before these calls. If a group gets no answer, the effect of each part is unknown, as for a separate
 * request. If Elasticsearch refuses a group, each part is sent alone. So the error of one part does not affect the
 * other parts.
 *
 * @param <Q> the part of one thread in a request
 * @param <A> the answer to a part
 */
final class GroupCommit<Q, A> {

    /** The operation that sends a group. */
    interface Sending<Q, A> {

        /** Sends a group as one request. Returns an answer for each part, in the same order. */
        List<A> send(List<Q> group);
    }

    /**
     * The limits of the groups.
     *
     * @param underWay the maximum number of groups in progress at the same time
     * @param size the maximum size of a group of several members, in the unit of {@code sizeOf}
     * @param isPaced whether {@link Pacing} delays a group that follows a group of several members
     */
    record Limits<Q>(int underWay, int size, ToIntFunction<Q> sizeOf, boolean isPaced) {

        /** Creates limits without pacing. */
        Limits(int underWay, int size, ToIntFunction<Q> sizeOf) {
            this(underWay, size, sizeOf, false);
        }
    }

    /** A waiting thread, and its part of a request. */
    private final class Member {
        private final Q part;
        private final Condition changed = lock.newCondition();

        private boolean isInGroup;

        private boolean hasEnded;

        private @Nullable A answer;
        private @Nullable RuntimeException failure;

        Member(Q part) {
            this.part = part;
        }

        A answered() {
            if (failure != null) {
                throw failure;
            }
            if (answer == null) {
                throw new NoAnswerException(
                        "the response to a shared request contains no result for one part of the request", null);
            }
            return answer;
        }
    }

    private final Limits<Q> limits;
    private final Runnable asking;
    private final Sending<Q, A> sending;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Member> waiting = new ArrayDeque<>();
    private final Pacing pacing;
    private int underWay;

    /**
     * Creates a group commit without pacing.
     *
     * @param asking called on each calling thread, before the thread may block
     */
    GroupCommit(Limits<Q> limits, Runnable asking, Sending<Q, A> sending) {
        this(limits, () -> 0, asking, sending);
    }

    /**
     * Creates a group commit.
     *
     * @param nanos a monotonic clock for the pacing
     * @param asking called on each calling thread, before the thread may block
     */
    GroupCommit(Limits<Q> limits, LongSupplier nanos, Runnable asking, Sending<Q, A> sending) {
        this.limits = limits;
        this.pacing = new Pacing(nanos, limits.isPaced());
        this.asking = asking;
        this.sending = sending;
    }

    /**
     * Sends a part and blocks until its answer arrives. An interrupt does not end the wait, because an interrupt does
     * not stop the request.
     *
     * @throws RuntimeException if the request failed for this part
     */
    A ask(Q part) {
        asking.run();
        boolean interrupted = false;
        lock.lock();
        try {
            Member own = new Member(part);
            waiting.addLast(own);
            while (!own.hasEnded) {
                long pause = pacing.pauseNanos();
                if (own.isInGroup || underWay >= limits.underWay() || (pause > 0 && own != waiting.peekFirst())) {
                    own.changed.awaitUninterruptibly();
                } else if (pause > 0) {
                    interrupted |= isInterruptedIn(own, pause);
                } else {
                    lead();
                }
            }
            return own.answered();
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits until the pause before the next group ends. Only the first thread in the queue waits with a limit. */
    @SuppressWarnings("WaitNotInLoop") // the method ask contains the loop around this wait
    private boolean isInterruptedIn(Member own, long nanos) {
        try {
            own.changed.awaitNanos(nanos);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Sends the parts of the threads that have waited longest. Does not hold the Java lock during the request. */
    private void lead() {
        underWay++;
        List<Member> group = next();
        letNextLead();
        lock.unlock();
        boolean interrupted = Thread.interrupted();
        long begun = pacing.now();
        try {
            send(group);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            lock.lock();
            underWay--;
            pacing.ended(begun, group.size());
            for (Member member : group) {
                member.hasEnded = true;
                member.changed.signal();
            }
            letNextLead();
        }
    }

    private List<Member> next() {
        List<Member> group = new ArrayList<>();
        long size = 0;
        for (Member first = waiting.peekFirst(); first != null; first = waiting.peekFirst()) {
            size += limits.sizeOf().applyAsInt(first.part);
            if (!group.isEmpty() && size > limits.size()) {
                break;
            }
            first.isInGroup = true;
            group.add(waiting.removeFirst());
        }
        return group;
    }

    /** A thread that sends a group first also sends the woken thread's part, or wakes that thread again later. */
    private void letNextLead() {
        Member next = waiting.peekFirst();
        if (next != null && underWay < limits.underWay()) {
            next.changed.signal();
        }
    }

    private void send(List<Member> group) {
        try {
            List<A> answers =
                    sending.send(group.stream().map(member -> member.part).toList());
            for (int i = 0; i < group.size(); i++) {
                group.get(i).answer = answers.get(i);
            }
        } catch (RefusedException e) {
            if (group.size() == 1) {
                group.getFirst().failure = e;
            } else {
                group.forEach(member -> send(List.of(member)));
            }
        } catch (RuntimeException e) {
            group.forEach(member -> member.failure = e);
        }
    }
}
