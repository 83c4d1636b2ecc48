package org.treerename.simulation;

import org.treerename.store.NoAnswerException;

/** Sends records to topics. Now and then a record does not arrive, or its acknowledgement does not. */
final class Sending {

    private static final long FAST_NANOS = 10_000_000;
    private static final double FAILING = 0.02;

    private final Stage stage;
    private boolean failing = true;

    Sending(Stage stage) {
        this.stage = stage;
    }

    void neverFailAgain() {
        failing = false;
    }

    /**
     * Comes back when a record is acknowledged.
     *
     * @param arrives is run when it arrives
     * @throws NoAnswerException if nobody knows whether it has arrived
     */
    void send(String record, Runnable arrives) {
        stage.scheduler().pause(stage.chance().between(0, FAST_NANOS));
        fail(record + " does not arrive");
        arrives.run();
        stage.scheduler().pause(stage.chance().between(0, FAST_NANOS));
        fail("nothing is heard of " + record);
    }

    private void fail(String how) {
        if (failing && stage.chance().happens(FAILING)) {
            throw new NoAnswerException(how, null);
        }
    }
}
