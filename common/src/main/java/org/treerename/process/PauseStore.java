package org.treerename.process;

import java.util.Optional;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The store of the pause of all workers. The store contains at most one pause. Each call may throw {@link
 * org.treerename.store.NoAnswerException}.
 */
public interface PauseStore {

    /** Returns the current pause; empty if the workers are not paused. */
    Optional<Versioned<Pause>> read();

    /** Writes a pause. Returns a conflict if the workers are paused already. */
    WriteResult create(Pause pause);

    /** Deletes the pause if its version is still {@code seen}; otherwise returns a conflict. */
    WriteResult delete(Version seen);
}
