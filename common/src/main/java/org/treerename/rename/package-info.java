/**
 * One rename: its request, its outcome, its journal entry with all states, and the move of its documents. The package uses paths, locks and
 * processes, and calls every server through an interface. Begin with {@link
 * org.treerename.rename.Renamer}; after the commit go on with {@link org.treerename.rename.Completion}. For dead processes begin with {@link
 * org.treerename.rename.RollForward}.
 */
@NullMarked
package org.treerename.rename;

import org.jspecify.annotations.NullMarked;
