package org.treerename.rename;

/** Turns an outcome into the text that is stored and published, byte for byte the same ever after. */
public interface OutcomeCodec {
    String encode(Outcome outcome);
}
