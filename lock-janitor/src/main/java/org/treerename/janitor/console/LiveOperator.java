package org.treerename.janitor.console;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.treerename.janitor.recovery.Abandonment;
import org.treerename.janitor.recovery.Fence;
import org.treerename.overview.OverviewJson;
import org.treerename.process.ProcessId;
import org.treerename.process.WorkerPause;
import org.treerename.process.WorkerPause.End;
import org.treerename.rename.Cancellation;
import org.treerename.runtime.Printable;

/** Executes the actions of the console in Elasticsearch and Kafka, with the same code as the command line programs. */
final class LiveOperator implements Operator {

    private final Fence fence;
    private final DeadLetterReader letters;
    private final Cancellation cancellation;
    private final ParkedRetries parked;
    private final Abandonment abandonment;
    private final WorkerPause workers;

    LiveOperator(
            Fence fence,
            DeadLetterReader letters,
            Cancellation cancellation,
            ParkedRetries parked,
            Abandonment abandonment,
            WorkerPause workers) {
        this.fence = fence;
        this.letters = letters;
        this.cancellation = cancellation;
        this.parked = parked;
        this.abandonment = abandonment;
        this.workers = workers;
    }

    @Override
    public Answer fence(String processId, String by) {
        return switch (fence.fence(new ProcessId(processId))) {
            case FENCED -> new Answer(true, processId + " is fenced; a janitor takes over its renames");
            case FENCED_BEFORE -> new Answer(true, processId + " is fenced already");
            case STOPPED_BEFORE -> new Answer(false, processId + " has stopped; there is nothing to fence");
            case UNKNOWN -> new Answer(false, "there is no process " + processId);
            case NOT_FENCED ->
                new Answer(
                        false,
                        processId + " is not fenced, because its process document changed during each try; try again");
        };
    }

    @Override
    public Answer replay(String place, String by) {
        return letters.replay(place);
    }

    @Override
    public Answer cancel(String requestId, String by) {
        return switch (cancellation.cancel(requestId, by)) {
            case Cancellation.Answer.Cancelled cancelled -> new Answer(true, requestId + " is cancelled");
            case Cancellation.Answer.AlreadyDecided decided ->
                new Answer(
                        false,
                        requestId + " cannot be cancelled, because it is already decided (state: "
                                + OverviewJson.word(decided.entry().state()) + ")");
            case Cancellation.Answer.NoEntry unknown ->
                new Answer(
                        false,
                        "the journal has no entry for " + requestId
                                + ": no worker has begun this request, or a janitor has deleted the entry");
            case Cancellation.Answer.NoRename writer ->
                new Answer(false, requestId + " is the hold of a writer; only renames can be cancelled");
        };
    }

    @Override
    public Answer retryParked(String requestId) {
        return parked.retry(requestId);
    }

    @Override
    public Answer abandon(String requestId, String by) {
        return switch (abandonment.abandon(requestId, by)) {
            case Abandonment.Answer.Abandoned abandoned ->
                new Answer(true, requestId + " is abandoned; a janitor releases its locks and publishes its outcome");
            case Abandonment.Answer.NotParked other ->
                new Answer(
                        false,
                        requestId + " is " + OverviewJson.word(other.entry().state())
                                + "; only a parked rename can be abandoned");
            case Abandonment.Answer.NoEntry none -> new Answer(false, "the journal has no entry for " + requestId);
        };
    }

    @Override
    public Answer pause(String by) {
        return workers.begin(by)
                .map(pause -> new Answer(true, "the workers are " + pause))
                .orElseGet(() -> new Answer(
                        false,
                        "the workers are not paused, because another command has just ended an earlier pause; try"
                                + " again"));
    }

    @Override
    public Answer unpause(String since) {
        Instant start;
        try {
            start = Instant.parse(since);
        } catch (DateTimeParseException e) {
            return new Answer(
                    false,
                    "expected the start of the pause, as in 2026-03-01T10:00:00Z, found \"" + Printable.of(since)
                            + "\"");
        }
        return switch (workers.end(start)) {
            case End.Ended ended -> new Answer(true, "the workers continue; they had been " + ended.pause());
            case End.NotPaused notPaused -> new Answer(true, "the workers are not paused");
            case End.Changed changed ->
                new Answer(
                        false,
                        "another pause has begun, or the pause has just changed; reload the page, and try again");
        };
    }
}
