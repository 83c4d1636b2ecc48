/**
 * Simulated runs, each calculated from a seed. The runs execute the real code of workers and janitors: locks, leases,
 * journal, mover and roll-forward. Elasticsearch, Kafka, the clock and the scheduler are simulated. The simulation
 * causes faults, such as crashes, freezes, and lost or late requests. Each write is checked when it takes effect, and
 * the whole run is checked at its end.
 */
@NullMarked
package org.treerename.simulation;

import org.jspecify.annotations.NullMarked;
