package org.treerename.overview;

import java.util.Optional;
import org.treerename.process.ProcessState;
import org.treerename.rename.JournalEntry;

/**
 * A journal entry, and its process.
 *
 * @param owner what the process is that the entry names, which may be dead and {@code LIVE} as long as nobody has judged it;
 *     empty where it has no process document
 */
public record OwnedEntry(JournalEntry entry, Optional<ProcessState> owner) {}
