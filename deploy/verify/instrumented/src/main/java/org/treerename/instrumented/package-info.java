/**
 * The main classes of the worker, the janitor and a process of a direct rename, with additions for tests: crash points,
 * a wall clock that can be wrong, and a log line for each step. Tests start these classes instead of the released
 * programs. No released program depends on this module.
 */
@NullMarked
package org.treerename.instrumented;

import org.jspecify.annotations.NullMarked;
