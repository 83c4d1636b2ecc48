package org.treerename.producer.writer;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.store.NoAnswerException;

@Timeout(60)
class TreeLocksTest {

    /** Returns tree locks with an address at which no server listens. */
    private static TreeLocks unreachable() {
        return TreeLocks.connect(WriterSettings.of("http://127.0.0.1:1")
                .withLease(Duration.ofSeconds(1))
                .withLockWait(Duration.ofMillis(50))
                .withRequestTimeout(Duration.ofMillis(50)));
    }

    @Test
    void closed_tree_locks_return_no_hold() {
        TreeLocks treeLocks = unreachable();
        treeLocks.close();

        assertThatThrownBy(() -> treeLocks.write("files", "/a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this TreeLocks object is closed; create a new object");
    }

    @Test
    void write_and_close_end_if_elasticsearch_does_not_answer() {
        try (TreeLocks treeLocks = unreachable()) {
            assertThatThrownBy(() -> treeLocks.write("files", "/a"))
                    .isInstanceOf(NoAnswerException.class)
                    .hasMessage("Elasticsearch did not answer a request for the locks to write into /a in files; locks"
                            + " that are acquired later are released");
        }
    }

    @Test
    void refuses_invalid_settings() {
        WriterSettings settings = WriterSettings.of("http://127.0.0.1:1");

        assertThatThrownBy(() -> settings.withService(" ")).hasMessage("service must not be blank");
        assertThatThrownBy(() -> settings.withLockWait(Duration.ofMillis(-1)))
                .hasMessageContaining("lockWait must be 0s");
        assertThatThrownBy(() -> settings.withGrace(Duration.ofMillis(999))).hasMessageContaining("grace must be 1s");
        assertThatThrownBy(() -> settings.withLease(Duration.ofMillis(1)))
                .hasMessageContaining("a lease must be at least");
    }
}
