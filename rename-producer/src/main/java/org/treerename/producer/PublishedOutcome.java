package org.treerename.producer;

import org.treerename.rename.Outcome;

/**
 * An outcome as it was read.
 *
 * @param json as it was published, with the fields, too, that this version does not know
 */
public record PublishedOutcome(Outcome outcome, String json) {}
