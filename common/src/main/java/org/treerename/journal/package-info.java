/**
 * The journal: the entries of renames and of holds of writers, the states of entries, and the deliveries of requests.
 * This package does not decide renames. Begin with {@link org.treerename.journal.JournalEntry} and {@link
 * org.treerename.journal.State}. {@link org.treerename.journal.OwnEntry} writes an entry that this process owns. The
 * caller of a write names the {@link org.treerename.journal.JournalStep}.
 */
@NullMarked
package org.treerename.journal;

import org.jspecify.annotations.NullMarked;
