package org.treerename.simulation;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.Age;
import org.treerename.lock.Hold;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockMode;
import org.treerename.lock.Locking;
import org.treerename.path.Path;
import org.treerename.rename.Asked.RenameRequest;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.OnExisting;
import org.treerename.rename.Place;
import org.treerename.rename.State;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.SimulatedLockStore;
import org.treerename.simulation.elasticsearch.SimulatedTreeStore;
import org.treerename.simulation.elasticsearch.Wire;

/** Changes what stands, past everything that guards it. */
final class Victim {
    private final World world;
    private final Cluster cluster;
    private final Wire wire;
    private final String liveProcess;

    /**
     * @param liveProcess whose process document says that it is live
     */
    Victim(World world, String liveProcess) {
        this.world = world;
        this.cluster = world.cluster();
        this.wire = Wire.direct(cluster);
        this.liveProcess = liveProcess;
    }

    String liveProcess() {
        return liveProcess;
    }

    RenameRequest request(String requestId) {
        return new RenameRequest(requestId, "files", "/nowhere/x", "/nowhere/y", OnExisting.FAIL, null);
    }

    Set<Path> locks(RenameRequest request) {
        return request.lockSet(Locking.of(world.files())).orElseThrow().modes().keySet();
    }

    void entry(String requestId, State state, String processId, @Nullable String holdId) {
        boolean isDecided = state == State.MOVING || state == State.PARKED;
        boolean hasEnded = state == State.CLOSED;
        new SimulatedJournal(wire, cluster)
                .overwrite(new JournalEntry(
                        requestId,
                        request(requestId),
                        null,
                        "digest",
                        new Place("rename.requests", 0, 1_000),
                        World.START,
                        state,
                        new JournalEntry.Ownership(processId, 1, holdId),
                        new JournalEntry.Waiting(0, null, null),
                        new JournalEntry.Progress(0, 0, 0),
                        isDecided ? new JournalEntry.Decision(World.START, processId, Map.of(), List.of()) : null,
                        null,
                        hasEnded ? new JournalEntry.Ending(Instant.EPOCH, "{}") : null,
                        state == State.PARKED ? new JournalEntry.Parking("damage", List.of()) : null,
                        0,
                        JournalEntry.Repeats.NONE,
                        null));
    }

    void hold(String path, LockMode mode, Hold hold) {
        lock(path, Map.of(hold.holdId(), new LockDocument.Held(hold, mode)), Map.of());
    }

    void claim(String path, String requestId) {
        lock(path, Map.of(), Map.of(requestId, new LockDocument.Claim(new Age(0, requestId), LockMode.EXCLUSIVE)));
    }

    void lock(String path, Map<String, LockDocument.Held> holds, Map<String, LockDocument.Claim> claims) {
        new SimulatedLockStore(wire, cluster)
                .put(new LockDocument("files", new Path(path), new TreeMap<>(holds), new TreeMap<>(claims)));
    }

    void documentWithoutPath(String id) {
        world.layout().put(new SimulatedTreeStore(wire, cluster, 1), "damage-" + id, "{\"type\":\"file\"}");
    }

    void document(String id, String path, String parent) {
        String json = "{\"path\":\"%s\",\"parent\":\"%s\",\"type\":\"file\"}".formatted(path, parent);
        world.layout().put(new SimulatedTreeStore(wire, cluster, 1), "damage-" + id, json);
    }

    void document(String id, String path) {
        String json = "{\"path\":\"%s\",\"type\":\"file\"}".formatted(path);
        world.layout().put(new SimulatedTreeStore(wire, cluster, 1), "damage-" + id, json);
    }
}
