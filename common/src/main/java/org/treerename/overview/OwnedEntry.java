package org.treerename.overview;

import java.util.Optional;
import org.treerename.journal.JournalEntry;
import org.treerename.process.ProcessState;

/**
 * A journal entry, and the state of the process that owns the entry.
 *
 * @param owner the state of the process that owns the entry; empty if the process has no process document. A dead
 *     process is {@code LIVE} until it is fenced
 */
public record OwnedEntry(JournalEntry entry, Optional<ProcessState> owner) {}
