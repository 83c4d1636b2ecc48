package org.treerename.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.treerename.journal.Deliveries;

class LogContextTest {

    @AfterEach
    void clear() {
        MDC.clear();
    }

    @Test
    void names_the_rename_until_it_is_closed() {
        try (LogContext outer = LogContext.of("worker-1", "r1", null)) {
            try (LogContext inner = LogContext.of("worker-1", Deliveries.rename("r2", "files", "/a", "/b"))) {
                assertThat(MDC.getCopyOfContextMap())
                        .isEqualTo(Map.of(
                                "labels.process_id",
                                "worker-1",
                                "labels.request_id",
                                "r2",
                                "labels.namespace",
                                "files"));
            }
            assertThat(MDC.getCopyOfContextMap())
                    .isEqualTo(Map.of("labels.process_id", "worker-1", "labels.request_id", "r1"));
        }
        assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
    }
}
