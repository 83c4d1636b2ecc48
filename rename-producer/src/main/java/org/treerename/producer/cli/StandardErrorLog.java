package org.treerename.producer.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs warnings to standard error. It is configured in code, because a {@code logback.xml} would apply to every user of
 * the library.
 */
final class StandardErrorLog {

    private StandardErrorLog() {}

    static void configure() {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return;
        }
        context.reset();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%level %logger{0}: %msg%n%nopex");
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        // Kafka logs a warning for every attempt to connect; the command reports the result in one sentence
        context.getLogger("org.apache.kafka").setLevel(Level.ERROR);
    }
}
