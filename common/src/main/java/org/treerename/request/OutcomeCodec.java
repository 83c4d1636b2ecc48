package org.treerename.request;

/**
 * Encodes an outcome as the text that is stored and published, and decodes this text. Equal outcomes have the same
 * text.
 */
public interface OutcomeCodec {
    String encode(Outcome outcome);

    /**
     * Decodes an outcome.
     *
     * @throws IllegalArgumentException if the text is not an outcome, or if only a later version of the program can
     *     decode the text
     */
    Outcome decode(String text);
}
