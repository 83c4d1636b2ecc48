package org.treerename.process;

import java.time.Instant;
import java.util.Optional;
import org.treerename.runtime.Time;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Begins and ends the pause of all workers. Each call may throw {@link org.treerename.store.NoAnswerException}. After
 * this exception, it is not known whether the pause has begun or ended, and the caller may try again.
 */
public final class WorkerPause {

    /** The result of an attempt to end the pause. */
    public sealed interface End {

        /** The workers were not paused. */
        record NotPaused() implements End {}

        /** This call has ended the pause. */
        record Ended(Pause pause) implements End {}

        /**
         * The current pause is not the pause that the call must end, or the pause changed during the call. The workers
         * may still be paused.
         */
        record Changed() implements End {}
    }

    private final PauseStore pauses;
    private final Time time;

    public WorkerPause(PauseStore pauses, Time time) {
        this.pauses = pauses;
        this.time = time;
    }

    /**
     * Begins a pause unless the workers are paused already.
     *
     * @return the new pause, or the pause that already existed; empty if the existing pause ended during this call
     */
    public Optional<Pause> begin(String by) {
        Pause pause = new Pause(time.now(), by);
        return pauses.create(pause) instanceof WriteResult.Written
                ? Optional.of(pause)
                : pauses.read().map(Versioned::value);
    }

    /** Ends the current pause. */
    public End end() {
        return pauses.read().map(this::delete).orElseGet(End.NotPaused::new);
    }

    /** Ends the current pause if it began at the time {@code since}. */
    public End end(Instant since) {
        Optional<Versioned<Pause>> pause = pauses.read();
        if (pause.isEmpty()) {
            return new End.NotPaused();
        }
        return pause.get().value().since().equals(since) ? delete(pause.get()) : new End.Changed();
    }

    private End delete(Versioned<Pause> pause) {
        return pauses.delete(pause.version()) instanceof WriteResult.Written
                ? new End.Ended(pause.value())
                : new End.Changed();
    }
}
