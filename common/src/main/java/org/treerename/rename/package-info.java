/**
 * The steps of a rename: acquire locks, check, commit, move documents, complete. The package calls every server through
 * an interface. {@link org.treerename.rename.Renamer} takes the steps in their order, in a worker or in the process of a
 * caller. Then see {@link org.treerename.rename.Acquisition}, {@link org.treerename.rename.CommitCheck} and
 * {@link org.treerename.rename.Completion}.
 */
@NullMarked
package org.treerename.rename;

import org.jspecify.annotations.NullMarked;
