package org.treerename.rename;

import java.nio.charset.StandardCharsets;

/** Formats an unexpected failure for outcomes and parked entries. */
public final class Failure {

    private static final int LONGEST_REASON = 500;

    private Failure() {}

    /** Returns the text of a failure as well-formed Unicode of limited length. */
    public static String inWords(RuntimeException failure) {
        String text = failure.toString();
        String begin = text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON) + "…";
        return new String(begin.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
