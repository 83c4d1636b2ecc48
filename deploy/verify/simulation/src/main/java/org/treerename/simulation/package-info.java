/**
 * Simulated runs, each calculated from a seed. The runs execute the real code of workers and janitors (locks, leases,
 * journal, mover, roll-forward) with a simulated Elasticsearch, Kafka, clock and scheduler. Crashes, freezes, lost and
 * late requests and other faults happen. Each write is checked when it takes effect, and the whole run is checked at
 * its end.
 */
@NullMarked
package org.treerename.simulation;

import org.jspecify.annotations.NullMarked;
