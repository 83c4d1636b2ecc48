/**
 * The parts that every service needs to run: time, pauses, loops, health, shutdown. The package does not depend on
 * renames, locks or trees.
 */
@NullMarked
package org.treerename.runtime;

import org.jspecify.annotations.NullMarked;
