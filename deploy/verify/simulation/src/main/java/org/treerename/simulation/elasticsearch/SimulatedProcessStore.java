package org.treerename.simulation.elasticsearch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** Stores the process documents in the simulated control index. Each call is a request through a {@link Wire}. */
public final class SimulatedProcessStore implements ProcessStore {

    static final String CONTROL_INDEX_UUID = "simulated-control-index";

    private final Wire wire;
    private final Cluster cluster;

    public SimulatedProcessStore(Wire wire, Cluster cluster) {
        this.wire = wire;
        this.cluster = cluster;
    }

    /** Returns the document id of a process document. */
    public static String id(ProcessId id) {
        return "process:" + id;
    }

    /**
     * Refreshes the control index, and then searches it for documents of one Java class. Like the adapter for
     * Elasticsearch, this method sends two requests.
     */
    static <K, T> List<T> search(
            Wire wire, Cluster cluster, String what, Class<K> kind, Function<Stream<K>, Stream<T>> matching) {
        wire.ask(Request.of(() -> "refreshes the control index", view -> {
            view.refresh(cluster.control());
            return true;
        }));
        return wire.ask(Request.of(() -> "searches for " + what, view -> {
            List<K> values = new ArrayList<>();
            for (Shard.Stored stored : view.visible(cluster.control()).values()) {
                if (kind.isInstance(stored.value())) {
                    values.add(kind.cast(stored.value()));
                }
            }
            return matching.apply(values.stream()).toList();
        }));
    }

    @Override
    public WriteResult create(ProcessDocument document) {
        return wire.ask(Request.of(
                () -> "creates the document of " + document.id(),
                view -> view.create(cluster.control(), id(document.id()), document)));
    }

    @Override
    public WriteResult write(ProcessDocument document, Version seen) {
        return wire.ask(Request.of(
                () -> "writes " + document.id() + " " + document.state() + ", heartbeat " + document.heartbeat(),
                view -> view.write(cluster.control(), id(document.id()), seen, document)));
    }

    @Override
    public Optional<Versioned<ProcessDocument>> read(ProcessId id) {
        return read(List.of(id)).stream().findFirst();
    }

    @Override
    public List<Versioned<ProcessDocument>> read(Collection<ProcessId> ids) {
        return ids.isEmpty()
                ? List.of()
                : wire.ask(new Request<>(
                        () -> "reads the documents of " + ids,
                        ids.stream().map(this::reading).toList(),
                        SimulatedProcessStore::found));
    }

    private Request.Item reading(ProcessId id) {
        return view -> view.read(cluster.control(), id(id))
                .map(found -> new Versioned<>((ProcessDocument) found.value(), found.version()))
                .orElse(null);
    }

    @SuppressWarnings("unchecked")
    private static List<Versioned<ProcessDocument>> found(List<@Nullable Object> results) {
        return results.stream()
                .filter(Objects::nonNull)
                .map(found -> (Versioned<ProcessDocument>) found)
                .toList();
    }

    @Override
    public List<ProcessId> ids(ProcessState state) {
        return in(state).stream().map(ProcessDocument::id).toList();
    }

    @Override
    public List<ProcessDocument> in(ProcessState state) {
        return search(
                wire,
                cluster,
                "processes",
                ProcessDocument.class,
                values -> values.filter(document -> document.state() == state));
    }

    @Override
    public WriteResult delete(ProcessId id, Version seen) {
        return wire.ask(Request.of(
                () -> "deletes the document of " + id, view -> view.delete(cluster.control(), id(id), seen)));
    }

    @Override
    public String controlIndexUuid() {
        return CONTROL_INDEX_UUID;
    }
}
