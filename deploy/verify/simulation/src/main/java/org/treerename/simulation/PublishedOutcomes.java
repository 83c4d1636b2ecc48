package org.treerename.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.treerename.request.Outcomes;

/** Stores the outcomes of a run in place of Kafka's topic, and passes each outcome to a watcher. */
final class PublishedOutcomes {

    private final Stage stage;
    private final Sending sending;
    private final Map<String, List<String>> published = new LinkedHashMap<>();
    private Watcher watcher = (requestId, outcome) -> {};

    /** Receives the request id and the text of each outcome after the topic has stored the outcome. */
    interface Watcher {
        void published(String requestId, String outcome);
    }

    PublishedOutcomes(Stage stage, Sending sending) {
        this.stage = stage;
        this.sending = sending;
    }

    void watch(Watcher next) {
        watcher = next;
    }

    /** Returns all outcomes of a request, in the order of their publication. */
    List<String> of(String requestId) {
        return published.getOrDefault(requestId, List.of());
    }

    /** Returns the object through which a process publishes outcomes. */
    Outcomes port() {
        return (requestId, outcome) -> sending.send("the outcome of " + requestId, () -> {
            String who = stage.scheduler().current().actor().name();
            stage.report(who, () -> "publishes " + outcome);
            published.computeIfAbsent(requestId, id -> new ArrayList<>()).add(outcome);
            watcher.published(requestId, outcome);
        });
    }
}
