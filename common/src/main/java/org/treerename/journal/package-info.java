/**
 * The journal: the durable entry of each rename and of each hold of a writer, its states, and the deliveries that the
 * entries record. The package does not decide about renames. Begin with {@link org.treerename.journal.JournalEntry} and
 * {@link org.treerename.journal.State}; {@link org.treerename.journal.OwnEntry} writes an entry that this process owns.
 * Each write names its {@link org.treerename.journal.JournalStep}.
 */
@NullMarked
package org.treerename.journal;

import org.jspecify.annotations.NullMarked;
