/**
 * The journal: the entry of each rename and of each hold of a writer, the states of entries, and the deliveries of
 * requests. This package does not decide renames. Read first {@link org.treerename.journal.JournalEntry} and {@link
 * org.treerename.journal.State}; {@link org.treerename.journal.OwnEntry} writes an entry that this process owns. Each
 * write names its {@link org.treerename.journal.JournalStep}.
 */
@NullMarked
package org.treerename.journal;

import org.jspecify.annotations.NullMarked;
