/**
 * The common parts of the command lines of all programs: the options that each program has, the formats of results, the
 * sentence for wrong use, and the exit codes. It knows nothing of renames. Begin with
 * {@link org.treerename.command.Programs}.
 */
@NullMarked
package org.treerename.command;

import org.jspecify.annotations.NullMarked;
