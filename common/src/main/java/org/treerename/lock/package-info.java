/**
 * Locks: modes, lock sets by granularity, holds and claims, and the rule that grants a lock. This package uses paths
 * and namespaces, and does not depend on renames.
 */
@NullMarked
package org.treerename.lock;

import org.jspecify.annotations.NullMarked;
