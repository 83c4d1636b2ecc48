package org.treerename.producer.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.treerename.producer.PublishedOutcome;
import org.treerename.producer.RenameProducer;
import org.treerename.producer.Sent;
import org.treerename.runtime.Time;

/**
 * Sends the lines of a batch in their order, of which a bounded number waits for outcomes. It stops where a signal asks for
 * it, where Kafka does not acknowledge a line, so that none overtakes it, and where no outcome comes for long. One thread
 * calls it, once.
 */
final class BatchRun {

    /** How long those that are under way are waited for once no more are sent. */
    static final Duration GRACE = Duration.ofSeconds(5);

    private static final Duration TICK = Duration.ofMillis(100);

    /**
     * How it is run.
     *
     * @param total lines that there are
     * @param inFlight lines that wait for their outcomes, at most
     * @param silence no outcome of any for so long ends it
     */
    record Limits(long total, int inFlight, Duration silence) {}

    private final RenameProducer producer;
    private final Limits limits;
    private final Tally tally;
    private final Time time;
    private final BooleanSupplier isInterrupted;
    private final Semaphore places;
    private volatile long heardNanos;
    private volatile @Nullable String trouble;

    BatchRun(RenameProducer producer, Limits limits, Tally tally, Time time, BooleanSupplier isInterrupted) {
        this.producer = producer;
        this.limits = limits;
        this.tally = tally;
        this.time = time;
        this.isInterrupted = isInterrupted;
        this.places = new Semaphore(limits.inFlight());
    }

    /**
     * Sends those of which the log holds no outcome, and waits for their ends.
     *
     * @return why some may be open; null where all have ended or a signal came
     */
    @Nullable
    String run(BatchReader lines, OutcomeLog log, ProgressLine progress) throws IOException, InterruptedException {
        heardNanos = time.nanos();
        boolean goesOn = true;
        for (BatchLine line = lines.next(); goesOn && line != null; line = lines.next()) {
            if (line instanceof BatchLine.Request request && !log.knows(request.number())) {
                goesOn = hasPlaces(1, progress);
                if (goesOn) {
                    send(request, log);
                }
            }
        }
        if (goesOn) {
            hasPlaces(limits.inFlight(), progress);
        }
        waitShortly(progress);
        return trouble;
    }

    private void send(BatchLine.Request line, OutcomeLog log) {
        tally.sent();
        Sent sent = producer.submit(line.request(), line.after());
        var unusedAcknowledgement = sent.acknowledged().whenComplete((nothing, failure) -> {
            if (failure != null) {
                stopFor(failure);
            }
        });
        var unusedEnd = sent.outcome().whenComplete((outcome, failure) -> {
            try {
                if (failure == null) {
                    ended(line, outcome, log);
                } else {
                    stopFor(failure);
                }
            } finally {
                places.release();
            }
        });
    }

    private void ended(BatchLine.Request line, PublishedOutcome outcome, OutcomeLog log) {
        heardNanos = time.nanos();
        try {
            log.add(line.number(), line.request(), outcome);
        } catch (RuntimeException e) {
            stopFor(e);
        }
        // behind the report: who sees that none is open may close it
        tally.ended(line.number(), outcome.outcome());
    }

    /** The first reason is the true one. */
    private synchronized void stopFor(String why) {
        if (trouble == null && !isInterrupted.getAsBoolean()) {
            trouble = why;
        }
    }

    private void stopFor(Throwable failure) {
        stopFor(String.valueOf(failure.getMessage()));
    }

    /** Waits until so many are free; false if it is to stop before. */
    private boolean hasPlaces(int count, ProgressLine progress) throws InterruptedException {
        while (!isToStop()) {
            boolean isFree = places.tryAcquire(count, TICK.toMillis(), TimeUnit.MILLISECONDS);
            show(progress);
            if (isFree) {
                return !isToStop();
            }
        }
        return false;
    }

    private boolean isToStop() {
        if (time.nanos() - heardNanos > limits.silence().toNanos()) {
            stopFor("no outcome within " + limits.silence().toSeconds() + " s");
        }
        return trouble != null || isInterrupted.getAsBoolean();
    }

    private void waitShortly(ProgressLine progress) throws InterruptedException {
        long begunNanos = time.nanos();
        while (tally.count().open() > 0 && time.nanos() - begunNanos < GRACE.toNanos()) {
            time.pause(TICK);
            show(progress);
        }
    }

    private void show(ProgressLine progress) {
        if (progress.isDue()) {
            Tally.Count count = tally.count();
            progress.show(
                    count.ended(), limits.total(), count.notDone() == 0 ? "" : ", " + count.notDone() + " not done");
        }
    }
}
