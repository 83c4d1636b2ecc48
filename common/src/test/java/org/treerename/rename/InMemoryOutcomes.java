package org.treerename.rename;

import java.util.ArrayList;
import java.util.List;

/** The outcomes' log in memory. */
public final class InMemoryOutcomes implements Outcomes {

    /** One record. */
    public record Published(String requestId, String outcome) {}

    private final List<Published> log = new ArrayList<>();

    @Override
    public synchronized void publish(String requestId, String outcome) {
        log.add(new Published(requestId, outcome));
    }

    /** Everything published, oldest first. */
    public synchronized List<Published> log() {
        return List.copyOf(log);
    }

    /** What was published for a request, without repetitions. */
    public List<String> of(String requestId) {
        return log().stream()
                .filter(p -> p.requestId().equals(requestId))
                .map(Published::outcome)
                .distinct()
                .toList();
    }
}
