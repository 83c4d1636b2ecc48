package org.treerename.rename;

/** Turns an outcome into the text that is stored and published, byte for byte the same ever after, and back. */
public interface OutcomeCodec {
    String encode(Outcome outcome);

    /**
     * Reads an outcome.
     *
     * @throws IllegalArgumentException if it is none, or one of a later version that this one cannot tell
     */
    Outcome decode(String text);
}
