package org.treerename.service;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.joran.spi.JoranException;
import java.util.Locale;
import org.slf4j.LoggerFactory;

/** The format of the log of a process. */
public enum LogFormat {
    /** Lines for people. */
    TEXT,
    /** A JSON object in each line, with the fields of the Elastic Common Schema. */
    ECS;

    /** The name of the system property or environment variable from which {@code logback.xml} reads the format. */
    private static final String PROPERTY = "TREE_RENAME_LOG_FORMAT";

    /** Applies this format from now on. Other threads must not log before this method returns. */
    public void begin() {
        String wanted = name().toLowerCase(Locale.ROOT);
        if (wanted.equals(System.setProperty(PROPERTY, wanted))
                || !(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return;
        }
        context.reset();
        try {
            new ContextInitializer(context).autoConfig();
        } catch (JoranException e) {
            throw new IllegalStateException("cannot apply the log format " + wanted, e);
        }
    }
}
