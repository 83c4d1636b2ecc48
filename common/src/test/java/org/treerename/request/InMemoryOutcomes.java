package org.treerename.request;

import java.util.ArrayList;
import java.util.List;

/** Keeps the published outcomes in the order of their publication. */
public final class InMemoryOutcomes implements Outcomes {

    public record Published(String requestId, String outcome) {}

    private final List<Published> log = new ArrayList<>();

    @Override
    public synchronized void publish(String requestId, String outcome) {
        log.add(new Published(requestId, outcome));
    }

    /** Returns all published records, oldest first. */
    public synchronized List<Published> log() {
        return List.copyOf(log);
    }

    /** Returns the outcomes that were published for a request, without duplicates. */
    public List<String> of(String requestId) {
        return log().stream()
                .filter(p -> p.requestId().equals(requestId))
                .map(Published::outcome)
                .distinct()
                .toList();
    }
}
