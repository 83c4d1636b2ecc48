package org.treerename.observe;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Counts the processes that this process fences. A write of a fenced document is counted only if the replaced version
 * was live when this process last read the document. A process that verifies a fence writes the fenced document again.
 * This second write is not counted.
 */
final class MeasuredProcessStore implements ProcessStore {

    private final ProcessStore processes;
    private final Meters meters;

    /** The version of each process document that was live when this process last read it. */
    private final Map<ProcessId, Version> live = new ConcurrentHashMap<>();

    MeasuredProcessStore(ProcessStore processes, Meters meters) {
        this.processes = processes;
        this.meters = meters;
    }

    @Override
    public WriteResult write(ProcessDocument document, Version seen) {
        WriteResult result = processes.write(document, seen);
        boolean fenced = result instanceof WriteResult.Written && document.state() == ProcessState.FENCED;
        if (fenced && live.remove(document.id(), seen)) {
            meters.count(Metric.FENCES);
        }
        return result;
    }

    @Override
    public WriteResult create(ProcessDocument document) {
        return processes.create(document);
    }

    @Override
    public Optional<Versioned<ProcessDocument>> read(ProcessId id) {
        Optional<Versioned<ProcessDocument>> found = processes.read(id);
        live.remove(id);
        found.ifPresent(this::remember);
        return found;
    }

    @Override
    public List<Versioned<ProcessDocument>> read(Collection<ProcessId> ids) {
        List<Versioned<ProcessDocument>> found = processes.read(ids);
        ids.forEach(live::remove);
        found.forEach(this::remember);
        return found;
    }

    private void remember(Versioned<ProcessDocument> found) {
        if (found.value().state() == ProcessState.LIVE) {
            live.put(found.value().id(), found.version());
        }
    }

    @Override
    public List<ProcessDocument> in(ProcessState state) {
        return processes.in(state);
    }

    @Override
    public List<ProcessId> ids(ProcessState state) {
        return processes.ids(state);
    }

    @Override
    public WriteResult delete(ProcessId id, Version seen) {
        return processes.delete(id, seen);
    }

    @Override
    public String controlIndexUuid() {
        return processes.controlIndexUuid();
    }
}
