package org.treerename.journal;

import java.time.Instant;

/** The end of the rename, and the text of its outcome as it is published. */
public record Ending(Instant finishedAt, String outcome) {}
