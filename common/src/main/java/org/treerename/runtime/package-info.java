/**
 * The basic parts of every service: time, pauses, loops, health and shutdown. The package does not depend on renames,
 * locks or trees.
 */
@NullMarked
package org.treerename.runtime;

import org.jspecify.annotations.NullMarked;
