/**
 * A deterministic scheduler. Only one thread runs at a time. All clocks derive from one clock. A seed decides the order
 * of events. This package does not depend on the code of renames.
 */
@NullMarked
package org.treerename.simulation.schedule;

import org.jspecify.annotations.NullMarked;
