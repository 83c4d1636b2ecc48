/**
 * Whole runs from a seed: the very code of workers and janitors (locks, leases, journal, mover, roll-forward), under a
 * simulated Elasticsearch, Kafka, clock and scheduler, with crashes, freezes, lost and late requests and everything else
 * that may go wrong; and whether what must hold has held, write by write and at the end.
 */
@NullMarked
package org.treerename.simulation;

import org.jspecify.annotations.NullMarked;
