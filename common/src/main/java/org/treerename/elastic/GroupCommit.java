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
 * Sends what many threads ask for at the same moment as one request, and gives each thread the answer to its own part. A thread that
 * asks while few groups are under way sends at once, together with all threads that wait. No thread waits for a group to be full. If the
 * limits say so, a group that follows one of several members is delayed ({@link Pacing}). Any thread may call it; it blocks until the
 * answer arrives. This is the group commit of databases (DeWitt et al., 1984).
 *
 * <p>A group is made up after all its members have asked, and before it is sent: it sees whatever was acknowledged to a
 * member before that asked. A group that gets no answer leaves each member's effect unknown, as a request of its own would;
 * where a group is refused for good, each member is sent alone, so that nobody pays for another one's mistake.
 *
 * @param <Q> one thread's part of a request
 * @param <A> the answer to it
 */
final class GroupCommit<Q, A> {

    /** Sends a group as one request; the answers to its members in their order. */
    interface Sending<Q, A> {
        List<A> send(List<Q> group);
    }

    /**
     * How large a group becomes.
     *
     * @param underWay groups that are sent at the same time
     * @param size after which a group takes no more members, in the unit of {@code sizeOf}
     * @param isPaced whether {@link Pacing} delays a group after one of several members
     */
    record Limits<Q>(int underWay, int size, ToIntFunction<Q> sizeOf, boolean isPaced) {

        /** Limits of groups that begin at once. */
        Limits(int underWay, int size, ToIntFunction<Q> sizeOf) {
            this(underWay, size, sizeOf, false);
        }
    }

    private final class Member {
        private final Q asked;
        private final Condition changed = lock.newCondition();

        /** Whether it belongs to a group, and whether that has ended. */
        private boolean isTaken;

        private boolean hasEnded;
        private @Nullable A answer;
        private @Nullable RuntimeException failure;

        Member(Q asked) {
            this.asked = asked;
        }

        A answered() {
            if (failure != null) {
                throw failure;
            }
            if (answer == null) {
                throw new NoAnswerException("what was sent with others ended without an answer", null);
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
     * @param asking tells, in the thread of each who asks, that it is about to wait
     */
    GroupCommit(Limits<Q> limits, Runnable asking, Sending<Q, A> sending) {
        this(limits, () -> 0, asking, sending);
    }

    /**
     * @param nanos a monotonic clock, by which groups are paced
     */
    GroupCommit(Limits<Q> limits, LongSupplier nanos, Runnable asking, Sending<Q, A> sending) {
        this.limits = limits;
        this.pacing = new Pacing(nanos, limits.isPaced());
        this.asking = asking;
        this.sending = sending;
    }

    /**
     * Blocks until the answer is there, also where the thread is interrupted, for what was sent takes effect all the same.
     *
     * @throws RuntimeException as the request ended for this member
     */
    A ask(Q asked) {
        asking.run();
        boolean interrupted = false;
        lock.lock();
        try {
            Member own = new Member(asked);
            waiting.addLast(own);
            while (!own.hasEnded) {
                long pause = pacing.pauseNanos();
                if (own.isTaken || underWay >= limits.underWay() || (pause > 0 && own != waiting.peekFirst())) {
                    own.changed.awaitUninterruptibly();
                } else if (pause > 0) {
                    interrupted |= waited(own, pause);
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

    /** Waits at the head of the queue, where one thread alone looks at the clock; whether the thread was interrupted. */
    @SuppressWarnings("WaitNotInLoop") // the loop is in ask
    private boolean waited(Member own, long nanos) {
        try {
            own.changed.awaitNanos(nanos);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Sends those who waited longest, with the lock given up meanwhile. */
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
            size += limits.sizeOf().applyAsInt(first.asked);
            if (!group.isEmpty() && size > limits.size()) {
                break;
            }
            first.isTaken = true;
            group.add(waiting.removeFirst());
        }
        return group;
    }

    /** Where a newcomer is faster, it takes the one that is woken along, or wakes it in its turn. */
    private void letNextLead() {
        Member next = waiting.peekFirst();
        if (next != null && underWay < limits.underWay()) {
            next.changed.signal();
        }
    }

    private void send(List<Member> group) {
        try {
            List<A> answers = sending.send(group.stream().map(m -> m.asked).toList());
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
