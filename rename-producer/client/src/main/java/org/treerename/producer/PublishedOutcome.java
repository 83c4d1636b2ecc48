package org.treerename.producer;

import org.treerename.request.Outcome;

/**
 * An outcome and its published JSON.
 *
 * @param json the JSON as it was published, including fields that this version does not know
 */
public record PublishedOutcome(Outcome outcome, String json) {}
