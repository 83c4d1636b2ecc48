/**
 * The steps of a rename: acquire locks, check, commit, move documents, complete. The package calls every server through
 * an interface. Begin with {@link org.treerename.rename.RenameSteps}, which takes the steps in their order. Then read
 * {@link org.treerename.rename.Acquisition}, {@link org.treerename.rename.CommitCheck} and {@link
 * org.treerename.rename.Completion}.
 */
@NullMarked
package org.treerename.rename;

import org.jspecify.annotations.NullMarked;
