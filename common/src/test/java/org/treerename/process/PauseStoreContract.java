package org.treerename.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** The tests that every {@link PauseStore} must pass. */
public abstract class PauseStoreContract {

    protected static final Pause PAUSE = new Pause(Instant.parse("2026-03-01T10:00:00.123Z"), "me, for \"a restore\"");

    protected abstract PauseStore pauses();

    @AfterEach
    protected final void end() {
        pauses().read().ifPresent(stored -> pauses().delete(stored.version()));
    }

    @Test
    void stores_one_pause_until_it_is_deleted_in_the_version_that_was_read() {
        assertThat(pauses().read()).isEmpty();

        WriteResult.Written written = (WriteResult.Written) pauses().create(PAUSE);
        assertThat(pauses().read()).contains(new Versioned<>(PAUSE, written.version()));
        assertThat(pauses().create(new Pause(Instant.EPOCH, "another"))).isEqualTo(new WriteResult.Conflict());
        assertThat(pauses().read()).contains(new Versioned<>(PAUSE, written.version()));

        assertThat(pauses().delete(written.version())).isInstanceOf(WriteResult.Written.class);
        assertThat(pauses().read()).isEmpty();
        assertThat(pauses().delete(written.version())).isEqualTo(new WriteResult.Conflict());
    }
}
