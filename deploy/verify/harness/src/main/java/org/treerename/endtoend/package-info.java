/**
 * Runs whole services as separate processes on real servers. Tests observe the services from outside, for example
 * through topics and indices.
 */
@NullMarked
package org.treerename.endtoend;

import org.jspecify.annotations.NullMarked;
