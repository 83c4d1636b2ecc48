/**
 * Runs whole services as separate processes on real servers. Tests observe the services only through the topics and the
 * indices.
 */
@NullMarked
package org.treerename.endtoend;

import org.jspecify.annotations.NullMarked;
