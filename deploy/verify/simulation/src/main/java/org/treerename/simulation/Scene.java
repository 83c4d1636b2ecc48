package org.treerename.simulation;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.treerename.kafka.RequestCodec;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedNamespaces;
import org.treerename.simulation.elasticsearch.SimulatedTreeStore;
import org.treerename.simulation.elasticsearch.Wire;
import org.treerename.simulation.schedule.Chance;

/** Creates the tree at the beginning of a run, and sends the requests of the run. */
final class Scene {

    private static final List<String> NAMES = List.of("x", "y", "z");
    private static final double OVER_AN_OUTSIDE_FILE = 0.2;
    private static final double COMES_AFTER_OTHERS = 0.15;
    private static final double UNUSABLE = 0.05;
    private static final double REUSED = 0.06;

    private final World world;
    private final Tree tree;
    private final Witness witness;
    private final Recorder recorder;
    private final List<String> places = new ArrayList<>();
    private final List<String> sources = new ArrayList<>();
    private final Map<String, RenameRequest> requests = new LinkedHashMap<>();

    private int displaced;
    private boolean isLastSent = true;

    /** The predecessors that each request names in the field {@code after}, by request id. */
    private final Map<String, List<String>> after = new HashMap<>();

    Scene(World world, Tree tree, Witness witness, Recorder recorder) {
        this.tree = tree;
        this.recorder = recorder;
        this.world = world;
        this.witness = witness;
    }

    void build() {
        Chance chance = world.stage().chance();
        Wire direct = Wire.direct(world.cluster());
        tree.layout().create(world.cluster(), chance);
        new SimulatedNamespaces(direct, world.cluster()).define(tree.namespace());
        SimulatedTreeStore store = new SimulatedTreeStore(direct, world.cluster(), 1);
        for (String top : List.of("/a", "/ab", "/b")) {
            put(store, top, "directory");
            for (int i = 0; i < chance.below(4); i++) {
                put(store, top + "/f" + i, "file");
            }
            for (String below : NAMES.subList(0, chance.below(3))) {
                put(store, top + "/" + below, "directory");
                for (int i = 0; i < chance.below(4); i++) {
                    put(store, top + "/" + below + "/f" + i, "file");
                }
            }
        }
    }

    private void put(SimulatedTreeStore store, String path, String type) {
        String id = "d" + places.size();
        tree.layout().put(store, id, new TreePath(path), type, places.size());
        places.add(path);
        witness.model().add(id, path, type.equals("directory"));
    }

    /** Returns every request that was sent, by request id. */
    Map<String, RenameRequest> requests() {
        return requests;
    }

    /** Plans requests at random times before the given time. Some requests are sent twice. */
    void plan(int count, long untilNanos) {
        Chance chance = world.stage().chance();
        for (int i = 1; i <= count; i++) {
            String id = tree.prefix() + "r" + i;
            // requests name no predecessors if entries expire, because a predecessor with an expired entry is unknown
            boolean follows =
                    chance.happens(COMES_AFTER_OTHERS) && !world.settings().areExpiring();
            after.put(id, follows ? others(id, count) : List.of());
            witness.comesAfter(id, after.get(id));
            long atNanos = chance.between(0, untilNanos);
            if (chance.happens(UNUSABLE)) {
                world.scheduler().after(atNanos, this::appendUnusable);
            }
            world.scheduler().after(atNanos, () -> append(requests.computeIfAbsent(id, this::request)));
            if (chance.happens(REUSED) && !world.settings().areExpiring()) {
                world.scheduler().after(chance.between(atNanos, untilNanos), () -> reuse(id));
            }
            if (chance.happens(0.15)) {
                // if entries expire, the second sending must be early, because a later sending would be a new request
                long early = world.settings().retention().minusMillis(10).toNanos();
                long latest = world.settings().areExpiring() ? Math.min(untilNanos, atNanos + early) : untilNanos;
                world.scheduler().after(chance.between(atNanos, latest), () -> {
                    world.stage().tally().count(Happening.DUPLICATE);
                    append(requests.computeIfAbsent(id, this::request));
                });
            }
        }
    }

    /** Returns a new random request without sending the request to the log. */
    RenameRequest newRequest(String id) {
        return request(id);
    }

    /** Sends a request to the log after the given delay. */
    void sendLater(RenameRequest request, long afterNanos) {
        world.scheduler().after(afterNanos, () -> send(request, List.of()));
    }

    private void reuse(String id) {
        RenameRequest other = request(id);
        if (requests.containsKey(id) && !other.equals(requests.get(id))) {
            world.stage().tally().count(Happening.REUSED_ID);
            append(other);
        }
    }

    /**
     * Requests two renames. The first rename moves the document at the destination of a completed rename to a new path.
     * The second rename moves another document to that destination.
     */
    void displace(RenameRequest done) {
        displaced++;
        RenameRequest away = versioned(new RenameRequest(
                "away-" + displaced,
                tree.namespace().name(),
                done.destination(),
                done.destination() + "-away",
                OnExisting.FAIL,
                null));
        send(away, List.of());
        RenameRequest into = versioned(new RenameRequest(
                "into-" + displaced,
                tree.namespace().name(),
                chance().of(places),
                done.destination(),
                OnExisting.FAIL,
                null));
        send(into, List.of(away.requestId()));
    }

    /**
     * Sends malformed records at regular intervals. The records make the log longer, because entries expire only if the
     * log grows. The run continues until the second record, so that the janitors have time to delete entries.
     */
    void planLast(long atNanos, long everyNanos) {
        isLastSent = false;
        world.scheduler().after(atNanos, () -> {
            appendUnusable();
            world.scheduler().after(everyNanos, () -> sendLast(everyNanos));
        });
    }

    private void sendLast(long everyNanos) {
        appendUnusable();
        isLastSent = true;
        world.scheduler().after(everyNanos, () -> sendLast(everyNanos));
    }

    boolean isLastSent() {
        return isLastSent;
    }

    /** A predecessor may be sent later, and may itself name the request. The predecessor r0 is never sent. */
    private List<String> others(String id, int count) {
        Chance chance = world.stage().chance();
        Set<String> others = new LinkedHashSet<>();
        for (int i = 0; i <= chance.below(2); i++) {
            others.add(tree.prefix() + "r" + chance.below(count + 1));
        }
        others.remove(id);
        return List.copyOf(others);
    }

    private void appendUnusable() {
        byte[] value = chance().of(List.of("", "{", "[]", "{\"request_id\":7}")).getBytes(StandardCharsets.UTF_8);
        RecordPosition place = world.log().append(value, now().toEpochMilli());
        world.stage().happened(Happening.UNUSABLE_RECORD, "producer", () -> "sends a malformed record to " + place);
        recorder.sentUnusable(place, now(), new String(value, StandardCharsets.UTF_8));
    }

    private Chance chance() {
        return world.stage().chance();
    }

    private Instant now() {
        return world.now().truncatedTo(ChronoUnit.MILLIS);
    }

    /** Sends a request that names predecessors. A request with the same id may have been sent before. */
    void send(RenameRequest request, List<String> others) {
        after.put(request.requestId(), others);
        witness.comesAfter(request.requestId(), others);
        requests.putIfAbsent(request.requestId(), request);
        append(request);
    }

    private void append(RenameRequest request) {
        List<String> others = after.getOrDefault(request.requestId(), List.of());
        byte[] value = RequestCodec.encode(request, others);
        RecordPosition place = world.log().append(value, now().toEpochMilli());
        world.stage()
                .report(
                        "producer",
                        () -> "sends " + request.requestId() + ", " + request.source() + " to " + request.destination()
                                + " (" + request.onExisting() + ", after " + others + "), to " + place);
        witness.sent(request, place);
        recorder.sent(request.requestId(), place, now(), new String(value, StandardCharsets.UTF_8));
    }

    private String destination(Chance chance) {
        if (chance.happens(0.2)) {
            return chance.of(places);
        }
        if (chance.happens(0.25) && !sources.isEmpty()) {
            return chance.of(sources);
        }
        String name = chance.of(NAMES) + chance.below(3);
        return new TreePath(chance.of(places)).parent().child(name).text();
    }

    private static String path(Cluster.StoredDocument stored) {
        return String.valueOf(stored.document().text("path"));
    }

    private RenameRequest request(String id) {
        return versioned(unversioned(id));
    }

    /** Returns the request with the next version, if another system gives versions to documents. */
    RenameRequest versioned(RenameRequest request) {
        return tree.namespace().rules().version() == VersionOwner.SEQ_NO
                ? request
                : request.withVersion(world.cluster().nextExternal());
    }

    private RenameRequest unversioned(String id) {
        Chance chance = world.stage().chance();
        if (chance.happens(OVER_AN_OUTSIDE_FILE)) {
            List<Cluster.StoredDocument> files = tree.documents(world.cluster()).stream()
                    .filter(stored -> "file".equals(stored.document().text("type")))
                    .toList();
            List<Cluster.StoredDocument> outside = files.stream()
                    .filter(stored -> stored.id().startsWith(Witness.OUTSIDE))
                    .toList();
            if (!outside.isEmpty()) {
                return new RenameRequest(
                        id,
                        tree.namespace().name(),
                        path(chance.of(files)),
                        path(chance.of(outside)),
                        OnExisting.REPLACE,
                        null);
            }
        }
        String source = chance.happens(0.02) ? "nowhere" : chance.of(places);
        String destination = destination(chance);
        if (!source.equals("nowhere")) {
            sources.add(source);
        }
        places.add(destination);
        if (chance.happens(0.2)) {
            places.add(destination + "/" + chance.of(NAMES));
        }
        return new RenameRequest(
                id,
                tree.namespace().name(),
                source,
                destination,
                chance.happens(0.6) ? OnExisting.REPLACE : OnExisting.FAIL,
                null);
    }
}
