package org.treerename.request;

/**
 * Encodes an outcome as the text that is stored and published. Also decodes this text. The same outcome always has the
 * same bytes.
 */
public interface OutcomeCodec {
    String encode(Outcome outcome);

    /**
     * Decodes an outcome.
     *
     * @throws IllegalArgumentException if the text is not an outcome, or if only a later version of the program can
     *     decode the outcome
     */
    Outcome decode(String text);
}
