/**
 * Locks: modes, lock sets by granularity, holds and claims, and the rule that grants a lock. This package knows paths and namespaces. It does not know renames.
 */
@NullMarked
package org.treerename.lock;

import org.jspecify.annotations.NullMarked;
