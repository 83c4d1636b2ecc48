/**
 * The common parts of the command lines of all programs: settings, configuration files, types of options, and the
 * options that each program has. The package also contains the formats of results, text that is safe for a terminal,
 * the sentence for wrong use, and the exit codes. No class of this package depends on a class for renames. Begin
 * with {@link org.treerename.cli.Programs}.
 */
@NullMarked
package org.treerename.cli;

import org.jspecify.annotations.NullMarked;
