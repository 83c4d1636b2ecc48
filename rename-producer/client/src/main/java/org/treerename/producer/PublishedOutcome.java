package org.treerename.producer;

import org.treerename.request.Outcome;

/**
 * An outcome and its published JSON.
 *
 * @param json the published JSON, including fields that this version of the library does not know
 */
public record PublishedOutcome(Outcome outcome, String json) {}
