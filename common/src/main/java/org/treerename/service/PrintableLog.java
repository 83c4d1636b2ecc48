package org.treerename.service;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import org.treerename.runtime.Printable;

/**
 * The words of the pattern in {@code log-text.xml} that make the text log safe for a terminal. A path or a free text of
 * a request may contain a line break, an escape sequence or a change of the writing direction.
 */
final class PrintableLog {

    private PrintableLog() {}

    /** The message of an event, on one line. */
    public static final class Message extends MessageConverter {
        @Override
        public String convert(ILoggingEvent event) {
            return Printable.of(super.convert(event));
        }
    }

    /** The stack trace of an event. Each line is indented, so that it cannot be confused with the line of an event. */
    public static final class Trace extends ThrowableProxyConverter {
        @Override
        protected String throwableProxyToString(IThrowableProxy failure) {
            return Printable.lines(super.throwableProxyToString(failure)).indent(2);
        }
    }
}
