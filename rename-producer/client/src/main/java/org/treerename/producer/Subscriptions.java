package org.treerename.producer;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;

/** Opens the subscriptions of one client, and closes them when the client is closed. Any thread may call this class. */
final class Subscriptions {

    private final BiFunction<OutcomeStart, OutcomeListener, OutcomeSubscription> opener;
    private final List<OutcomeSubscription> open = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /** @param opener connects to Kafka and starts a subscription */
    Subscriptions(BiFunction<OutcomeStart, OutcomeListener, OutcomeSubscription> opener) {
        this.opener = opener;
    }

    OutcomeSubscription open(OutcomeStart start, OutcomeListener listener) {
        requireOpen();
        OutcomeSubscription subscription = opener.apply(start, listener);
        open.removeIf(other -> !other.isRunning());
        open.add(subscription);
        if (closed) {
            subscription.close();
        }
        requireOpen();
        return subscription;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("cannot subscribe: the client is closed");
        }
    }

    void close(Deadline deadline) {
        closed = true;
        open.forEach(subscription -> subscription.close(deadline.left()));
    }
}
