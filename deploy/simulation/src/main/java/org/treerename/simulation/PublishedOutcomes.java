package org.treerename.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.treerename.rename.Outcomes;
import org.treerename.store.NoAnswerException;

/** The topic of the outcomes. */
final class PublishedOutcomes {

    private static final long FAST_NANOS = 10_000_000;
    private static final double FAILING = 0.02;

    private final Stage stage;
    private final Map<String, List<String>> published = new LinkedHashMap<>();
    private Watcher watcher = (requestId, outcome) -> {};
    private boolean failing = true;

    /** Is told of each record. */
    interface Watcher {
        void published(String requestId, String outcome);
    }

    PublishedOutcomes(Stage stage) {
        this.stage = stage;
    }

    void watch(Watcher next) {
        watcher = next;
    }

    void neverFailAgain() {
        failing = false;
    }

    /** Every outcome of a request, in the order of their publication. */
    List<String> of(String requestId) {
        return published.getOrDefault(requestId, List.of());
    }

    /** As one process reaches it. */
    Outcomes port() {
        return (requestId, outcome) -> {
            stage.scheduler().pause(stage.chance().between(0, FAST_NANOS));
            fail("the outcome of " + requestId + " does not arrive");
            String who = stage.scheduler().current().actor().name();
            stage.tell(who, () -> "publishes " + outcome);
            published.computeIfAbsent(requestId, id -> new ArrayList<>()).add(outcome);
            watcher.published(requestId, outcome);
            stage.scheduler().pause(stage.chance().between(0, FAST_NANOS));
            fail("nothing is heard of the outcome of " + requestId);
        };
    }

    private void fail(String how) {
        if (failing && stage.chance().happens(FAILING)) {
            throw new NoAnswerException(how, null);
        }
    }
}
