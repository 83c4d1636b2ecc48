package org.treerename.simulation;

import org.treerename.store.NoAnswerException;

/** Sends records to topics. Sometimes a record or its acknowledgement is lost. */
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
     * Sends a record. Returns when the record is acknowledged.
     *
     * @param arrives the action that runs when the record arrives
     * @throws NoAnswerException if it is not known whether the record has arrived
     */
    void send(String record, Runnable arrives) {
        stage.scheduler().pause(stage.chance().between(0, FAST_NANOS));
        fail(record + " does not arrive");
        arrives.run();
        stage.scheduler().pause(stage.chance().between(0, FAST_NANOS));
        fail(record + " is not acknowledged");
    }

    private void fail(String how) {
        if (failing && stage.chance().happens(FAILING)) {
            throw new NoAnswerException(how, null);
        }
    }
}
