package org.treerename.simulation;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.treerename.lock.LockStore;
import org.treerename.path.Namespaces;
import org.treerename.process.ProcessStore;
import org.treerename.reader.PointsInTime;
import org.treerename.reader.TreeViews;
import org.treerename.rename.Journal;
import org.treerename.rename.Outcomes;
import org.treerename.rename.RequestLog;
import org.treerename.rename.TreeStore;
import org.treerename.runtime.Time;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.SimulatedLockStore;
import org.treerename.simulation.elasticsearch.SimulatedTreeStore;
import org.treerename.simulation.elasticsearch.Wire;

/** Between a process and the simulated stores: nothing, but where a test puts something wrong in, to see it found out. */
public interface Wiring {

    /** As the services are wired. */
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

    /** Returns how many readers a run has at most; half of the runs have none. */
    default int mostReaders() {
        return 2;
    }

    /** Returns how a reader opens its views. */
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

    /** The log as janitors see it. */
    default RequestLog log(RequestLog log) {
        return log;
    }

    /** A record as a worker receives it. */
    default ConsumerRecord<byte[], byte[]> received(ConsumerRecord<byte[], byte[]> message) {
        return message;
    }

    /** Whether a worker that makes no progress ends. */
    default boolean hasWatchdog() {
        return true;
    }

    default Supplier<String> holdIds(String processId, Supplier<String> fresh) {
        return fresh;
    }

    /** Whether an offset is let go only when its request has ended. */
    default boolean commitsAfterTheEnd() {
        return true;
    }

    /** Whether a process that doubts its own lease holds still. It saves work; safety does not rest on it. */
    default boolean checksLease() {
        return true;
    }
}
