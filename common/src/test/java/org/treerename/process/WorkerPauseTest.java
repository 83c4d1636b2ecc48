package org.treerename.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.process.WorkerPause.End;
import org.treerename.runtime.ManualTime;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

class WorkerPauseTest {

    private static final Pause FIRST = new Pause(Instant.parse("2026-03-01T10:00:00Z"), "me");

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final InMemoryPauseStore store = new InMemoryPauseStore(new InMemoryControlIndex());
    private final WorkerPause pause = new WorkerPause(store, time);

    @Test
    void begins_a_pause_and_keeps_an_older_pause() {
        assertThat(pause.begin("me")).contains(FIRST);
        time.advance(Duration.ofSeconds(1));

        assertThat(pause.begin("another")).contains(FIRST);
        assertThat(store.read().map(Versioned::value)).contains(FIRST);
    }

    @Test
    void ends_the_current_pause() {
        pause.begin("me");

        assertThat(pause.end()).isEqualTo(new End.Ended(FIRST));
        assertThat(store.read()).isEmpty();
        assertThat(pause.end()).isEqualTo(new End.NotPaused());
    }

    @Test
    void ends_only_the_pause_that_began_at_the_given_time() {
        assertThat(pause.end(FIRST.since())).isEqualTo(new End.NotPaused());
        pause.begin("me");
        pause.end();
        time.advance(Duration.ofSeconds(1));
        Pause second = pause.begin("another").orElseThrow();

        assertThat(pause.end(FIRST.since())).isEqualTo(new End.Changed());
        assertThat(store.read().map(Versioned::value)).contains(second);
        assertThat(pause.end(second.since())).isEqualTo(new End.Ended(second));
    }

    /** Another process deletes the pause just before this process deletes it. */
    @Test
    void reports_a_pause_that_changes_at_the_same_moment() {
        pause.begin("me");
        PauseStore late = new PauseStore() {
            @Override
            public Optional<Versioned<Pause>> read() {
                return store.read();
            }

            @Override
            public WriteResult create(Pause begun) {
                return store.create(begun);
            }

            @Override
            public WriteResult delete(Version seen) {
                store.delete(seen);
                return store.delete(seen);
            }
        };

        assertThat(new WorkerPause(late, time).end()).isEqualTo(new End.Changed());
    }
}
