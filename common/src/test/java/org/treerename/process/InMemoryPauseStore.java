package org.treerename.process;

import java.util.Optional;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** Stores the pause in an {@link InMemoryControlIndex}. */
public record InMemoryPauseStore(InMemoryControlIndex control) implements PauseStore {

    private static final String ID = "pause:workers";

    @Override
    public Optional<Versioned<Pause>> read() {
        return control.read(ID, Pause.class);
    }

    @Override
    public WriteResult create(Pause pause) {
        return control.create(ID, pause);
    }

    @Override
    public WriteResult delete(Version seen) {
        return control.delete(ID, seen);
    }
}
