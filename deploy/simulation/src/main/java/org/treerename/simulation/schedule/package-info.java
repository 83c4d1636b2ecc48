/**
 * One thread of control at a time, and one clock that all others come from: what happens next is decided by a seed. Knows
 * nothing of renames.
 */
@NullMarked
package org.treerename.simulation.schedule;

import org.jspecify.annotations.NullMarked;
