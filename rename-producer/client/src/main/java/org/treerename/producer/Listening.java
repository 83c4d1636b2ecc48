package org.treerename.producer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.request.RenameProgress;

/** Keeps the progress listeners of each request, and calls these listeners. Any thread may call this class. */
final class Listening {

    private static final Logger log = LoggerFactory.getLogger(Listening.class);

    /**
     * A registered listener. The methods of the listener are called one after the other, in the order of the events.
     */
    static final class Registration {
        private final String requestId;
        private final ProgressListener listener;
        private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

        private Registration(String requestId, ProgressListener listener) {
            this.requestId = requestId;
            this.listener = listener;
        }

        void acknowledged() {
            call(listener::acknowledged);
        }

        private void progressed(RenameProgress progress) {
            call(() -> listener.progressed(progress));
        }

        private synchronized void call(Runnable callback) {
            last = last.thenRunAsync(callback, Waiting.CALLBACKS).exceptionally(failure -> {
                log.warn(
                        "a listener for the progress of request {} failed; it is called again for the next report",
                        requestId,
                        failure);
                return null;
            });
        }
    }

    private final Map<String, List<Registration>> registrations = new HashMap<>();

    synchronized Registration add(String requestId, ProgressListener listener) {
        Registration registration = new Registration(requestId, listener);
        registrations.computeIfAbsent(requestId, id -> new ArrayList<>(1)).add(registration);
        return registration;
    }

    synchronized void remove(Registration registration) {
        registrations.computeIfPresent(registration.requestId, (id, registered) -> {
            registered.remove(registration);
            return registered.isEmpty() ? null : registered;
        });
    }

    synchronized boolean isAwaited(String requestId) {
        return registrations.containsKey(requestId);
    }

    void report(RenameProgress progress) {
        List<Registration> listening;
        synchronized (this) {
            listening = List.copyOf(registrations.getOrDefault(progress.requestId(), List.of()));
        }
        listening.forEach(registration -> registration.progressed(progress));
    }
}
