package org.treerename.producer.fake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.producer.OutcomeListener;
import org.treerename.producer.OutcomePosition;
import org.treerename.producer.OutcomeStart;
import org.treerename.producer.OutcomeSubscription;
import org.treerename.producer.PublishedOutcome;

/** Keeps the published outcomes in one partition, and calls the listeners. Any thread may call this class. */
final class OutcomeTopic {

    private static final Logger log = LoggerFactory.getLogger(OutcomeTopic.class);
    private static final int PARTITION = 0;

    private final List<PublishedOutcome> published = new ArrayList<>();
    private final Map<String, AtomicLong> groups = new HashMap<>();
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();

    synchronized void publish(PublishedOutcome outcome) {
        published.add(outcome);
    }

    synchronized List<PublishedOutcome> published() {
        return List.copyOf(published);
    }

    OutcomeSubscription subscribe(OutcomeStart start, OutcomeListener listener) {
        Subscription subscription = new Subscription(listener, next(start));
        subscriptions.add(subscription);
        subscription.deliver();
        return subscription;
    }

    /** Calls every listener for the outcomes that the listener has not processed. */
    void deliver() {
        subscriptions.forEach(Subscription::deliver);
    }

    void close() {
        subscriptions.forEach(Subscription::close);
    }

    private synchronized AtomicLong next(OutcomeStart start) {
        return switch (start) {
            case OutcomeStart.Group group -> groups.computeIfAbsent(group.id(), id -> new AtomicLong());
            case OutcomeStart.End end -> new AtomicLong(published.size());
            case OutcomeStart.After after -> new AtomicLong(after.offsets().getOrDefault(PARTITION, -1L) + 1);
        };
    }

    private final class Subscription implements OutcomeSubscription {

        private final OutcomeListener listener;
        /** The offset of the next outcome. All subscriptions of one consumer group share this offset. */
        private final AtomicLong next;

        private final ReentrantLock delivering = new ReentrantLock();
        private volatile boolean closed;

        Subscription(OutcomeListener listener, AtomicLong next) {
            this.listener = listener;
            this.next = next;
        }

        void deliver() {
            if (delivering.isHeldByCurrentThread()) {
                // the listener has sent this request itself; the delivery that called the listener continues with the
                // new outcome
                return;
            }
            delivering.lock();
            try {
                List<PublishedOutcome> all = published();
                while (!closed && next.get() < all.size()) {
                    int offset = Math.toIntExact(next.get());
                    listener.ended(all.get(offset), new OutcomePosition(PARTITION, offset));
                    next.compareAndSet(offset, offset + 1L);
                    all = published();
                }
            } catch (Exception e) {
                log.warn("a listener failed for an outcome; calling the listener again with the next delivery", e);
            } finally {
                delivering.unlock();
            }
        }

        @Override
        public boolean isRunning() {
            return !closed;
        }

        @Override
        public void close(Duration timeout) {
            closed = true;
            subscriptions.remove(this);
        }
    }
}
