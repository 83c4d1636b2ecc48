package org.treerename.writer;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.store.NoAnswerException;

@Timeout(60)
class TreeLocksTest {

    /** Where nobody listens. */
    private static TreeLocks nowhere() {
        return TreeLocks.connect(WriterSettings.of("http://127.0.0.1:1")
                .withLease(Duration.ofSeconds(1))
                .withLockWait(Duration.ofMillis(50))
                .withRequestTimeout(Duration.ofMillis(50)));
    }

    @Test
    void what_was_closed_gives_nothing() {
        TreeLocks treeLocks = nowhere();
        treeLocks.close();

        assertThatThrownBy(() -> treeLocks.write("files", "/a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the tree locks are closed");
    }

    @Test
    void where_nobody_answers_a_call_ends_and_so_does_the_closing() {
        try (TreeLocks treeLocks = nowhere()) {
            assertThatThrownBy(() -> treeLocks.write("files", "/a"))
                    .isInstanceOf(NoAnswerException.class)
                    .hasMessage("no answer to whether it may be written into /a in files");
        }
    }

    @Test
    void settings_that_cannot_be_are_refused() {
        WriterSettings settings = WriterSettings.of("http://127.0.0.1:1");

        assertThatThrownBy(() -> settings.withService(" ")).hasMessage("service must not be blank");
        assertThatThrownBy(() -> settings.withLockWait(Duration.ofMillis(-1)))
                .hasMessageContaining("lockWait must be PT0S");
        assertThatThrownBy(() -> settings.withGrace(Duration.ofMillis(999))).hasMessageContaining("grace must be PT1S");
        assertThatThrownBy(() -> settings.withLease(Duration.ofMillis(1))).hasMessageContaining("a lease is at least");
    }
}
