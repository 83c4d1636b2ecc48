/**
 * One rename: its request, its outcome, its journal entry with all states, and the move of its documents. The package uses paths, locks and
 * processes, and calls every server through an interface.
 */
@NullMarked
package org.treerename.rename;

import org.jspecify.annotations.NullMarked;
