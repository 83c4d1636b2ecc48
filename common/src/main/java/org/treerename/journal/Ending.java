package org.treerename.journal;

import java.time.Instant;

/** The time at which a rename ended, and the text of the outcome to publish. */
public record Ending(Instant finishedAt, String outcome) {}
