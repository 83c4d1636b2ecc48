package org.treerename.simulation;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.treerename.journal.Journal;
import org.treerename.journal.Watermark;
import org.treerename.lock.LockStore;
import org.treerename.namespace.Namespaces;
import org.treerename.process.ProcessStore;
import org.treerename.producer.reader.PointsInTime;
import org.treerename.producer.reader.TreeViews;
import org.treerename.request.Outcomes;
import org.treerename.request.RequestLog;
import org.treerename.runtime.Time;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.SimulatedLockStore;
import org.treerename.simulation.elasticsearch.SimulatedTreeStore;
import org.treerename.simulation.elasticsearch.Wire;
import org.treerename.tree.TreeStore;

/**
 * Connects the processes with the simulated stores. A test replaces one part by a faulty part, and checks that the
 * simulation finds the fault.
 */
public interface Wiring {

    /** The wiring without faulty parts. */
    Wiring PLAIN = new Wiring() {};

    default Journal journal(String processId, SimulatedJournal journal) {
        return journal;
    }

    default LockStore locks(String processId, SimulatedLockStore locks) {
        return locks;
    }

    default TreeStore tree(String processId, Wire wire, Cluster cluster, int pageSize) {
        return new SimulatedTreeStore(wire, cluster, pageSize);
    }

    /** Returns the maximum number of readers of a run. Half of the runs have no readers. */
    default int mostReaders() {
        return 2;
    }

    /** Returns the object through which a reader opens its views. */
    default TreeViews views(LockStore locks, Journal journal, PointsInTime points, Time time) {
        return new TreeViews(locks, journal, points, time);
    }

    default ProcessStore processes(String processId, ProcessStore processes) {
        return processes;
    }

    default Namespaces namespaces(Namespaces namespaces) {
        return namespaces;
    }

    default Outcomes outcomes(Outcomes outcomes) {
        return outcomes;
    }

    default Consumer<ProducerRecord<byte[], byte[]>> deadLetters(Consumer<ProducerRecord<byte[], byte[]>> topic) {
        return topic;
    }

    default Watermark watermark(Watermark watermark) {
        return watermark;
    }

    /** Returns the log that janitors read. */
    default RequestLog log(RequestLog log) {
        return log;
    }

    /** Returns the record that a worker receives in place of a record of the log. */
    default ConsumerRecord<byte[], byte[]> received(ConsumerRecord<byte[], byte[]> message) {
        return message;
    }

    /** Returns whether a watchdog ends a worker that makes no progress. */
    default boolean hasWatchdog() {
        return true;
    }

    /** Returns whether the requests of each namespace have their own slots in a worker. */
    default boolean hasSlotsOfEachNamespace() {
        return true;
    }

    /** Returns the share of runs in which a rename is parked while one of its moves waits in the queue of a node. */
    default double parkedMoves() {
        return 0.2;
    }

    /** Returns the share of runs in which the main tree acknowledges writes before they are on disk. */
    default double earlyAcknowledgements() {
        return 0.1;
    }

    /** Returns the share of the indices that are created again whose new mapping hides documents from searches. */
    default double unfitMappings() {
        return 0.5;
    }

    /** Returns the share of runs in which journal entries expire. */
    default double expiringEntries() {
        return 0.25;
    }

    default Supplier<String> holdIds(String processId, Supplier<String> fresh) {
        return fresh;
    }

    /** Returns whether an offset is committed only after its request has ended. */
    default boolean commitsAfterTheEnd() {
        return true;
    }

    /**
     * Returns whether a process blocks while its lease is in doubt. Blocking saves work. The safety of renames does not
     * depend on it.
     */
    default boolean checksLease() {
        return true;
    }
}
