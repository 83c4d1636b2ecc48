package org.treerename.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.treerename.producer.OutcomeListener;
import org.treerename.producer.OutcomeStart;
import org.treerename.producer.OutcomeSubscription;
import org.treerename.producer.RenameClient;

/**
 * Subscribes the listener of the application when the application starts, and ends the subscription before the beans
 * are destroyed.
 */
final class OutcomeListenerLifecycle implements SmartLifecycle {

    private final RenameClient client;
    private final OutcomeListener listener;
    private final OutcomeStart start;
    private @Nullable OutcomeSubscription subscription;

    OutcomeListenerLifecycle(RenameClient client, OutcomeListener listener, OutcomeStart start) {
        this.client = client;
        this.listener = listener;
        this.start = start;
    }

    @Override
    public synchronized void start() {
        if (subscription == null) {
            subscription = client.subscribe(start, listener);
        }
    }

    @Override
    public synchronized void stop() {
        if (subscription != null) {
            subscription.close();
            subscription = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return subscription != null && subscription.isRunning();
    }
}
