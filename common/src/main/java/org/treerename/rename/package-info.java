/** One rename: request, outcome, journal entry, its states, the way through them, and the mover. Knows paths, locks and processes, and reaches every server through a port. */
@NullMarked
package org.treerename.rename;

import org.jspecify.annotations.NullMarked;
