/**
 * What is counted and timed of a process, in Micrometer's terms, for Prometheus to read. The ports are decorated; the rooms
 * that are decorated know nothing of it.
 */
@NullMarked
package org.treerename.metrics;

import org.jspecify.annotations.NullMarked;
