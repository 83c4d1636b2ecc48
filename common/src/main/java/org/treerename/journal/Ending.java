package org.treerename.journal;

import java.time.Instant;

/** The time at which the rename ended, and the text of the outcome to publish. */
public record Ending(Instant finishedAt, String outcome) {}
