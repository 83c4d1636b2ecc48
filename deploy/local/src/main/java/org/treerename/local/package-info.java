/**
 * The commands for one machine: the whole system up and down, a real directory tree into Elasticsearch, and the demo. Knows
 * every other room; no other room knows this one.
 */
@NullMarked
package org.treerename.local;

import org.jspecify.annotations.NullMarked;
