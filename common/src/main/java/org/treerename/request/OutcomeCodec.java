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
     * @throws IllegalArgumentException if the text is not an outcome, or is an outcome of a later version that this version cannot decode
     */
    Outcome decode(String text);
}
