/**
 * The main classes of the instrumented programs: a worker, a janitor and a direct rename. These programs have crash
 * points, a wall clock that can be wrong, and a log line for each step. Tests start these classes instead of the
 * released programs. No released program depends on this module.
 */
@NullMarked
package org.treerename.instrumented;

import org.jspecify.annotations.NullMarked;
