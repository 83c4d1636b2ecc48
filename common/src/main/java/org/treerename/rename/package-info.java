/**
 * The steps of a rename: acquire locks, check, commit, move documents, complete. The package calls every server through
 * an interface. Begin with {@link org.treerename.rename.Renamer}; after the commit go on with {@link
 * org.treerename.rename.Completion}. For dead processes begin with {@link org.treerename.rename.RollForward}.
 */
@NullMarked
package org.treerename.rename;

import org.jspecify.annotations.NullMarked;
