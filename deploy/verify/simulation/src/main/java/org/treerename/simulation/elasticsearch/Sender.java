package org.treerename.simulation.elasticsearch;

import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;

/**
 * The sender of a request.
 *
 * @param name the name of the process
 * @param carrying the journal entry that the sending thread wrote last; null if it wrote none
 */
public record Sender(String name, @Nullable JournalEntry carrying) {}
