package org.treerename.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.LockPolicy;
import org.treerename.namespace.Namespace;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.tree.Rename;

/**
 * The order in which requests must be decided. This order follows from the log and from the predecessors of the
 * requests.
 */
final class RequestOrder {

    private final Cluster cluster;
    private final Namespace files;
    private final Set<String> ended = new HashSet<>();

    /** The requests of each partition, in the order of the log. */
    private final Map<Integer, List<Sent>> log = new HashMap<>();

    private record Sent(RenameRequest request, RecordPosition place) {}

    private final Map<String, List<String>> predecessors = new HashMap<>();

    RequestOrder(Cluster cluster, Namespace files) {
        this.cluster = cluster;
        this.files = files;
    }

    /** Adds a record to the end of its partition. */
    void sent(RenameRequest request, RecordPosition place) {
        log.computeIfAbsent(place.partition(), partition -> new ArrayList<>()).add(new Sent(request, place));
    }

    void ended(String requestId) {
        ended.add(requestId);
    }

    boolean hasPredecessor(String requestId) {
        return !predecessors.getOrDefault(requestId, List.of()).isEmpty();
    }

    /** Returns the earlier requests of a partition that conflict with a rename, have not ended, and are not parked. */
    List<String> overtaken(Rename rename, RecordPosition place) {
        if (place.isDirect()) {
            return List.of();
        }
        return log.getOrDefault(place.partition(), List.of()).stream()
                .filter(sent -> sent.place().offset() < place.offset())
                .map(Sent::request)
                .filter(this::isTheOneOfItsId)
                .filter(request -> !request.requestId().equals(rename.requestId()))
                .filter(request -> request.lockSet(LockPolicy.of(files))
                        .filter(locks -> Exclusion.between(locks, rename.lockSet()))
                        .isPresent())
                .map(RenameRequest::requestId)
                .filter(id -> !ended.contains(id))
                .filter(id ->
                        entry(id).filter(entry -> entry.state() == State.PARKED).isEmpty())
                .toList();
    }

    /** If the journal contains another request with the same id, the record becomes a dead letter. */
    private boolean isTheOneOfItsId(RenameRequest request) {
        return entry(request.requestId())
                .filter(entry -> !request.equals(entry.request()))
                .isEmpty();
    }

    void comesAfter(String requestId, List<String> others) {
        predecessors.put(requestId, others);
    }

    /** Returns the predecessors of a request that have not ended. */
    List<String> unended(String requestId) {
        return predecessors.getOrDefault(requestId, List.of()).stream()
                .filter(id -> !ended.contains(id))
                .toList();
    }

    private Optional<JournalEntry> entry(String requestId) {
        return cluster.control(SimulatedJournal.id(requestId), JournalEntry.class);
    }
}
