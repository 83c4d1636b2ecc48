/**
 * Locks: modes, lock sets by granularity, who holds and who claims what, and the rule by which a lock is given. Knows paths; does
 * not know what a rename is.
 */
@NullMarked
package org.treerename.lock;

import org.jspecify.annotations.NullMarked;
