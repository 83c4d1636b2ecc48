package org.treerename.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PrintableLogTest {

    private static final String HOSTILE = "/a\u001b[2J\r\n2026 ERROR forged\u202e\u2028b";
    private static final String PRINTABLE = "/a\\u001b[2J\\u000d\\u000a2026 ERROR forged\\u202e\\u2028b";

    /** Returns the lines that the text log of the services prints for an event. */
    private static List<String> logged(@Nullable Throwable failure) throws JoranException {
        LoggerContext context = new LoggerContext();
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(new ByteArrayInputStream("""
                <configuration>
                  <include resource="org/treerename/service/log-text.xml"/>
                  <root level="INFO"><appender-ref ref="log"/></root>
                </configuration>""".getBytes(StandardCharsets.UTF_8)));
        Logger logger = context.getLogger(Logger.ROOT_LOGGER_NAME);
        var log = (ConsoleAppender<ILoggingEvent>) logger.getAppender("log");
        byte[] bytes = log.getEncoder()
                .encode(new LoggingEvent("", logger, Level.INFO, "renamed {}", failure, new Object[] {HOSTILE}));
        return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void replaces_control_characters_and_directions_in_a_message() throws JoranException {
        assertThat(logged(null)).singleElement().asString().endsWith(" ROOT: renamed " + PRINTABLE);
    }

    @Test
    void a_stack_trace_cannot_forge_the_line_of_another_event() throws JoranException {
        List<String> lines = logged(new IllegalStateException(HOSTILE, new IllegalArgumentException(HOSTILE)));

        assertThat(lines).hasSizeGreaterThan(4);
        assertThat(lines.subList(1, lines.size()))
                .allMatch(line -> line.startsWith("  "))
                .noneMatch(line -> line.contains("\u001b") || line.contains("\u202e") || line.contains("\u2028"));
        assertThat(String.join("\n", lines)).containsOnlyOnce("  java.lang.IllegalStateException: /a");
    }
}
