/**
 * A deterministic scheduler. One thread runs at a time, all clocks derive from one clock, and a seed decides the order of
 * events. Depends on nothing about renames.
 */
@NullMarked
package org.treerename.simulation.schedule;

import org.jspecify.annotations.NullMarked;
