/**
 * How fast it is: this engine beside what people use today, side by side in one run on the same servers. Knows the services
 * as processes and the rooms that they share; no other room knows this one.
 */
@NullMarked
package org.treerename.benchmark;

import org.jspecify.annotations.NullMarked;
