/**
 * The commands for one machine: they start and stop the whole system, index a real directory tree, and run the demo.
 * This module may use every other module; no other module uses it.
 */
@NullMarked
package org.treerename.local;

import org.jspecify.annotations.NullMarked;
