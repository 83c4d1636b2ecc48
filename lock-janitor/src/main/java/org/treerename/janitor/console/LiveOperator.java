package org.treerename.janitor.console;

import org.treerename.overview.OverviewJson;
import org.treerename.process.Fence;
import org.treerename.process.ProcessId;
import org.treerename.rename.Cancellation;

/** Acts on what is there, by the means that the command lines have. */
final class LiveOperator implements Operator {

    private final Fence fence;
    private final DeadLetterReader letters;
    private final Cancellation cancellation;

    LiveOperator(Fence fence, DeadLetterReader letters, Cancellation cancellation) {
        this.fence = fence;
        this.letters = letters;
        this.cancellation = cancellation;
    }

    @Override
    public Answer fence(String processId, String by) {
        return switch (fence.fence(new ProcessId(processId))) {
            case FENCED -> new Answer(true, processId + " is fenced; the janitors take over what it carries");
            case FENCED_BEFORE -> new Answer(true, processId + " was fenced before");
            case STOPPED_BEFORE -> new Answer(false, processId + " has stopped by itself");
            case UNKNOWN -> new Answer(false, "there is no process " + processId);
            case NOT_FENCED ->
                new Answer(false, processId + " is not fenced: its heartbeat came in between each time; try again");
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
                        requestId + " was decided before; it is "
                                + OverviewJson.word(decided.entry().state()));
            case Cancellation.Answer.NoEntry unknown ->
                new Answer(false, "the journal knows no " + requestId + ": nobody has begun it, or it is forgotten");
            case Cancellation.Answer.NoRename writer -> new Answer(false, requestId + " is a hold of a writer");
        };
    }
}
