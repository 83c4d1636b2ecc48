package org.treerename.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class StandardErrorLogTest {

    private final StandardErrorLog log = new StandardErrorLog();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream original = System.err;

    @BeforeEach
    void redirect() {
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setErr(original);
    }

    private Logger logger(String name) {
        return log.getLoggerFactory().getLogger(name);
    }

    @Test
    void prints_one_line_per_warning_and_error() {
        Logger logger = logger("org.treerename.producer.OutcomeReader");

        logger.info("not printed");
        logger.warn("cannot read {}; retrying in {} s", "rename.outcomes", 1);
        logger.error("failed", new IllegalStateException("not printed"));

        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "WARN OutcomeReader: cannot read rename.outcomes; retrying in 1 s",
                        "ERROR OutcomeReader: failed");
    }

    @Test
    void prints_only_the_errors_of_kafka() {
        Logger logger = logger("org.apache.kafka.clients.NetworkClient");

        logger.warn("not printed");
        logger.error("printed");

        assertThat(printed.toString(StandardCharsets.UTF_8).lines()).containsExactly("ERROR NetworkClient: printed");
    }
}
