package org.treerename.janitor.doctor;

import java.util.Locale;

/**
 * One result of {@code rename-admin doctor}.
 *
 * @param subject the part that was examined, for example {@code elasticsearch version}
 * @param what the fact that was found, and its consequence
 * @param mend the action that corrects the problem; empty if no action is necessary
 */
public record Finding(Level level, String subject, String what, String mend) {

    /** The effect of a finding on the services. */
    public enum Level {
        /** The services need no change. */
        OK,
        /**
         * The services work, but with a higher risk of an outage or of a loss of data. A part that could not be
         * examined has this level as well.
         */
        WARNING,
        /** The services do not start, or renames may fail or damage a tree. */
        ERROR;

        /** Returns the name in lower case, as the command prints it. */
        public String inWords() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Finding ok(String subject, String what) {
        return new Finding(Level.OK, subject, what, "");
    }

    static Finding warning(String subject, String what, String mend) {
        return new Finding(Level.WARNING, subject, what, mend);
    }

    static Finding error(String subject, String what, String mend) {
        return new Finding(Level.ERROR, subject, what, mend);
    }
}
