package org.treerename.producer.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.PublishedOutcome;
import org.treerename.producer.Sent;
import org.treerename.request.RenameProgress;
import org.treerename.runtime.Time;

/**
 * Sends the lines of a batch in their order. At each moment, only a limited number of lines waits for outcomes. A line
 * whose rename is parked is reported at once, and the run no longer waits for its outcome. The run stops if a signal
 * arrives, if a line is not acknowledged, or if no rename ends or is parked for a long time. After a line that is not
 * acknowledged, the run must stop, because no later line may overtake this line. Only one thread calls an instance, and
 * only once.
 */
final class BatchRun {

    /** The longest wait for the outcomes of open requests after the run has stopped. */
    static final Duration GRACE = Duration.ofSeconds(5);

    private static final Duration TICK = Duration.ofMillis(100);

    /**
     * The limits of a run.
     *
     * @param total the number of requests in the batch
     * @param inFlight the largest number of lines that wait for their outcomes at the same time
     * @param silence the time without any outcome or parked rename after which the run stops
     */
    record Limits(long total, int inFlight, Duration silence) {}

    private final BatchSender sender;
    private final Limits limits;
    private final Tally tally;
    private final Time time;
    private final BooleanSupplier isInterrupted;
    private final Semaphore places;

    /** The time of the last line that ended or was parked. */
    private volatile long lastNewsNanos;

    private volatile @Nullable String stopReason;

    BatchRun(BatchSender sender, Limits limits, Tally tally, Time time, BooleanSupplier isInterrupted) {
        this.sender = sender;
        this.limits = limits;
        this.tally = tally;
        this.time = time;
        this.isInterrupted = isInterrupted;
        this.places = new Semaphore(limits.inFlight());
    }

    /**
     * Sends the lines whose outcomes are not in the log, and waits until each of them has ended or is parked.
     *
     * @return the reason why the run stopped early, so that requests may be open; null if all requests have ended
     *     or are parked, or a signal arrived
     */
    @Nullable
    String run(BatchReader lines, OutcomeLog log, ProgressLine progress) throws IOException, InterruptedException {
        lastNewsNanos = time.nanos();
        boolean isRunning = true;
        for (BatchLine line = lines.next(); isRunning && line != null; line = lines.next()) {
            if (line instanceof BatchLine.Request request && !log.knows(request.number())) {
                isRunning = hasPlaces(1, progress);
                if (isRunning) {
                    send(request, log, progress);
                }
            }
        }
        if (isRunning) {
            hasPlaces(limits.inFlight(), progress);
        }
        waitForOpen(progress);
        return stopReason;
    }

    private void send(BatchLine.Request line, OutcomeLog log, ProgressLine progress) {
        tally.sent();
        Open open = new Open(line, log, progress);
        Sent sent = sender.submit(line.request(), line.after(), open);
        var unusedAcknowledgement = sent.acknowledged().whenComplete((nothing, failure) -> {
            if (failure != null) {
                stopFor(failure);
            }
        });
        var unusedEnd = sent.outcome().whenComplete(open::ended);
    }

    /** A line that was sent. It has a place until its rename ends or is parked. */
    private final class Open implements ProgressListener {
        private final BatchLine.Request line;
        private final OutcomeLog log;
        private final ProgressLine progress;
        private boolean isParked;
        private boolean isEnded;

        Open(BatchLine.Request line, OutcomeLog log, ProgressLine progress) {
            this.line = line;
            this.log = log;
            this.progress = progress;
        }

        @Override
        public synchronized void progressed(RenameProgress reported) {
            String reason = reported.parked();
            if (reason == null || isParked || isEnded) {
                return;
            }
            isParked = true;
            lastNewsNanos = time.nanos();
            if (tally.parked() <= Tally.MAX_FAILURES) {
                progress.print(OutcomeLine.printable(
                        "line " + line.number() + ": " + RenameProgress.parkedInWords(reported.requestId(), reason)));
            }
            places.release();
        }

        synchronized void ended(@Nullable PublishedOutcome outcome, @Nullable Throwable failure) {
            isEnded = true;
            try {
                if (outcome != null) {
                    lastNewsNanos = time.nanos();
                    add(outcome);
                } else {
                    stopFor(Objects.requireNonNull(failure));
                }
            } finally {
                if (!isParked) {
                    places.release();
                }
            }
        }

        private void add(PublishedOutcome outcome) {
            try {
                log.add(line.number(), line.request(), outcome);
            } catch (RuntimeException e) {
                stopFor(e);
            }
            // count after the write: another thread may close the log as soon as no request is open
            tally.ended(line.number(), outcome.outcome(), isParked);
        }
    }

    /** Ignores a later reason, because it is only a consequence of the first one. */
    private synchronized void stopFor(String reason) {
        if (stopReason == null && !isInterrupted.getAsBoolean()) {
            stopReason = reason;
        }
    }

    private void stopFor(Throwable failure) {
        stopFor(String.valueOf(failure.getMessage()));
    }

    /** Waits until the given number of further lines may be sent. Returns false if the run must stop. */
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
        if (time.nanos() - lastNewsNanos > limits.silence().toNanos()) {
            stopFor("no outcome within " + limits.silence().toSeconds() + " s");
        }
        return stopReason != null || isInterrupted.getAsBoolean();
    }

    private void waitForOpen(ProgressLine progress) throws InterruptedException {
        long startNanos = time.nanos();
        while (tally.count().isAwaited() && time.nanos() - startNanos < GRACE.toNanos()) {
            time.pause(TICK);
            show(progress);
        }
    }

    private void show(ProgressLine progress) {
        if (progress.isDue()) {
            Tally.Count count = tally.count();
            progress.show(
                    count.ended(),
                    limits.total(),
                    count.notDone() == 0 ? "" : ", " + count.notDone() + " without success");
        }
    }
}
