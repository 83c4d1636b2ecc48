package org.treerename.runtime;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.helpers.Reporter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The log of a command line program: one line per warning or error, on standard error, without a stack trace. This log
 * replaces Logback, because a short command would spend most of its time on the start of Logback. SLF4J creates the
 * object.
 */
public final class StandardErrorLog implements SLF4JServiceProvider {

    private static final String LOGBACK = "logback.configurationFile";
    /** The newest version of SLF4J's API that this class works with. */
    private static final String API = "2.0.99";

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();
    private final Map<String, Logger> loggers = new ConcurrentHashMap<>();

    /** Creates the log. Only SLF4J calls this constructor; see {@link #install}. */
    public StandardErrorLog() {}

    /**
     * Makes SLF4J use this log. Call this method before any class creates a logger. If a system property names a
     * configuration file of Logback, the call has no effect, so that a user can still see every message.
     */
    public static void install() {
        if (System.getProperty(LOGBACK) == null) {
            System.setProperty(LoggerFactory.PROVIDER_PROPERTY_KEY, StandardErrorLog.class.getName());
            // prevents the line in which SLF4J reports the selected provider
            System.setProperty(Reporter.SLF4J_INTERNAL_VERBOSITY_KEY, "WARN");
        }
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return name -> loggers.computeIfAbsent(name, StandardErrorLogger::new);
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return API;
    }

    @Override
    public void initialize() {
        // nothing to load
    }

    private static final class StandardErrorLogger extends LegacyAbstractLogger {

        private final String shortName;
        private final boolean warns;

        private StandardErrorLogger(String name) {
            this.name = name;
            this.shortName = name.substring(name.lastIndexOf('.') + 1);
            // Kafka's client logs a warning for every failed attempt to connect; the command reports the result in one
            // sentence
            this.warns = !name.startsWith("org.apache.kafka.");
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return false;
        }

        @Override
        public boolean isWarnEnabled() {
            return warns;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String pattern,
                Object @Nullable [] arguments,
                @Nullable Throwable failure) {
            System.err.println(level + " " + shortName + ": "
                    + Printable.of(String.valueOf(MessageFormatter.basicArrayFormat(pattern, arguments))));
        }
    }
}
