package org.treerename.simulation;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;
import org.treerename.journal.Decision;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Ownership;
import org.treerename.journal.Parking;
import org.treerename.journal.Phase;
import org.treerename.journal.Progress;
import org.treerename.journal.Repeats;
import org.treerename.journal.State;
import org.treerename.journal.Subject;
import org.treerename.journal.Waiting;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Claim;
import org.treerename.lock.LockTable.Held;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.SimulatedLockStore;
import org.treerename.simulation.elasticsearch.SimulatedTreeStore;
import org.treerename.simulation.elasticsearch.Wire;

/** Damages the stored documents of a run directly, without the checks of the product. */
final class Victim {
    private final World world;
    private final Cluster cluster;
    private final Wire wire;
    private final String liveProcess;

    /**
     * @param liveProcess the id of a process whose process document has the state LIVE
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

    Set<TreePath> locks(RenameRequest request) {
        return request.lockSet(LockPolicy.of(world.files()))
                .orElseThrow()
                .modes()
                .keySet();
    }

    void entry(String requestId, State state, String processId, @Nullable String holdId) {
        Subject subject = new Subject.Delivered(
                request(requestId), "digest", new RecordPosition(Installation.DEFAULT.requests(), 0, 1_000));
        new SimulatedJournal(wire, cluster)
                .overwrite(new JournalEntry(
                        requestId,
                        subject,
                        World.START,
                        new Ownership(processId, 1, holdId),
                        Waiting.NONE,
                        phase(state, processId),
                        null,
                        0,
                        Repeats.NONE));
    }

    private static Phase phase(State state, String processId) {
        Progress progress = new Progress(0, 0, 0);
        Decision decision = new Decision(World.START, processId, Map.of(), List.of());
        Ending ending = new Ending(Instant.EPOCH, "{}");
        return switch (state) {
            case PREPARED, RETRY, HELD -> new Phase.Undecided(state);
            case MOVING -> new Phase.Moving(decision, progress);
            case PARKED -> new Phase.Parked(decision, progress, new Parking("damage", List.of()));
            case DONE -> new Phase.Done(decision, progress, ending);
            case REJECTED, FAILED, CANCELLED -> new Phase.Refused(state, ending);
            case CLOSED -> new Phase.Closed(null, progress, ending);
        };
    }

    /** Adds a hold, and does not check whether existing holds exclude the new hold. */
    void hold(String path, LockMode mode, Hold hold) {
        LockTable table = tableOf(path);
        SortedMap<String, Held> holds = new TreeMap<>(table.holds());
        holds.put(hold.holdId(), new Held(hold, new TreeMap<>(Map.of(new TreePath(path), mode))));
        new SimulatedLockStore(wire, cluster).put(table.with(holds, table.claims()));
    }

    /** Adds a claim, and does not check the existing claims. */
    void claim(String path, String requestId) {
        LockTable table = tableOf(path);
        SortedMap<String, Claim> claims = new TreeMap<>(table.claims());
        claims.put(
                requestId,
                new Claim(
                        new LockPriority(0, requestId), new TreeMap<>(Map.of(new TreePath(path), LockMode.EXCLUSIVE))));
        new SimulatedLockStore(wire, cluster).put(table.with(table.holds(), claims));
    }

    private LockTable tableOf(String path) {
        LockTable.Id id = LockTable.Id.of("files", new TreePath(path));
        return cluster.control(SimulatedLockStore.id(id), LockTable.class).orElse(LockTable.empty(id));
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
