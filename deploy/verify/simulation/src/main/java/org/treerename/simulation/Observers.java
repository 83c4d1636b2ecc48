package org.treerename.simulation;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable;
import org.treerename.path.TreePath;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.Sender;
import org.treerename.simulation.elasticsearch.TreeDocument;
import org.treerename.store.Version;

/**
 * Passes each write to the recorder of the written tree. Checks that locks of one tree never exclude requests of
 * another tree.
 */
final class Observers implements Cluster.Watcher {

    private final List<Recorder> recorders;
    private final Violations violations;

    Observers(List<Recorder> recorders, Violations violations) {
        this.recorders = recorders;
        this.violations = violations;
    }

    @Override
    public void control(Sender sender, String id, @Nullable Object before, @Nullable Object after, Version version) {
        Object written = after == null ? before : after;
        for (Recorder recorder : recorders) {
            boolean concerns = switch (written) {
                case JournalEntry entry -> {
                    check(recorder, entry);
                    yield recorder.tree().hasRequest(entry.requestId());
                }
                case LockTable table -> {
                    check(recorder, table);
                    yield recorder.isOf(table.id());
                }
                case null, default -> true;
            };
            if (concerns) {
                recorder.control(sender, id, before, after, version);
            }
        }
    }

    private void check(Recorder recorder, JournalEntry entry) {
        String refusedBy = entry.waiting().refusedBy();
        if (refusedBy != null
                && recorder.tree().hasRequest(entry.requestId())
                && !recorder.tree().hasRequest(refusedBy)) {
            violations.add(Point.LIVENESS, entry.requestId() + " waits for " + refusedBy + " of another tree");
        }
    }

    private void check(Recorder recorder, LockTable table) {
        table.holds().values().stream()
                .map(held -> held.hold().requestId())
                .filter(requestId ->
                        recorder.isOf(table.id()) != recorder.tree().hasRequest(requestId))
                .forEach(requestId -> violations.add(
                        Point.LIVENESS, requestId + " has a hold in " + table.id() + " of another tree"));
    }

    @Override
    public void refused(LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted) {
        recorders.stream()
                .filter(recorder -> recorder.isOf(table.id()))
                .forEach(recorder -> recorder.refused(table, hold, wanted));
    }

    @Override
    public void lostEntry(String requestId) {
        recorders.stream()
                .filter(recorder -> recorder.tree().hasRequest(requestId))
                .forEach(recorder -> recorder.lostEntry(requestId));
    }

    @Override
    public void tree(
            Sender sender,
            String index,
            String id,
            @Nullable TreeDocument before,
            @Nullable TreeDocument after,
            Version version) {
        recorders.stream()
                .filter(recorder -> recorder.tree().hasIndex(index))
                .forEach(recorder -> recorder.tree(sender, index, id, before, after, version));
    }
}
