package org.treerename.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.checker.JournalDump;
import org.treerename.checker.LockDump;
import org.treerename.checker.ProcessDump;
import org.treerename.checker.TreeDump;
import org.treerename.journal.Decision;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessDocument;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.TreeDocument;
import org.treerename.tree.PathFields;

/** Reads the stored state of one tree at a moment, as input for the checker. */
final class Dump {

    private static final Map<String, String> NOWHERE = Map.of("path", "", "parent", "", "name", "");

    private final Cluster cluster;
    private final Tree tree;

    Dump(Cluster cluster, Tree tree) {
        this.cluster = cluster;
        this.tree = tree;
    }

    static String document(String index, String id) {
        return index + "/" + id;
    }

    static String path(TreeDocument document) {
        return String.valueOf(document.text("path"));
    }

    static String digest(TreeDocument document) {
        return PathFields.rewritten(document.source(), "path", NOWHERE)
                .orElse(document.source())
                .toString();
    }

    TreeDump tree() {
        return new TreeDump(
                tree.namespace(),
                tree.documents(cluster).stream()
                        .map(stored -> new TreeDump.StoredDocument(
                                new org.treerename.checker.TreeDocument(
                                        document(stored.index(), stored.id()),
                                        "directory".equals(stored.document().text("type")),
                                        digest(stored.document()),
                                        null),
                                path(stored.document()),
                                stored.document().text("parent"),
                                stored.document().text("name"),
                                stored.version().seqNo()))
                        .toList());
    }

    /** @param delivery returns the record that delivered the request of an entry */
    static JournalDump journal(
            Stream<JournalEntry> entries,
            Map<String, Instant> ends,
            Function<JournalEntry, JournalDump.Delivery> delivery) {
        return new JournalDump(entries.map(entry -> entry(entry, ends.get(entry.requestId()), delivery.apply(entry)))
                .toList());
    }

    private static JournalDump.Entry entry(
            JournalEntry entry, @Nullable Instant endedAt, JournalDump.Delivery delivery) {
        RenameRequest request = entry.request();
        String text = entry.ended().map(Ending::outcome).orElse(null);
        Outcome outcome = text == null ? null : OutcomeCodec.decode(text);
        return new JournalDump.Entry(
                entry.requestId(),
                entry.state().name().toLowerCase(Locale.ROOT),
                entry.ownership().processId(),
                entry.ownership().holdId(),
                entry.namespace().orElse(null),
                request == null ? null : request.source(),
                request == null ? null : request.destination(),
                request != null && request.onExisting() == OnExisting.REPLACE,
                entry.waiting().refusals(),
                entry.waiting().refusedBy(),
                entry.waiting().refusal(),
                delivery,
                entry.decided().map(Decision::committedAt).orElse(null),
                entry.decidedIn() == null ? null : entry.decidedIn().seqNo(),
                endedAt,
                text,
                outcome == null ? null : outcome.publishedStatus(),
                outcome == null ? null : outcome.publishedReason());
    }

    LockDump locks() {
        List<LockDump.Hold> holds = new ArrayList<>();
        List<LockDump.Claim> claims = new ArrayList<>();
        for (LockTable table : cluster.control(LockTable.class)) {
            if (table.id().namespace().equals(tree.namespace().name())) {
                table.holds()
                        .values()
                        .forEach(held ->
                                held.paths().forEach((path, mode) -> holds.add(hold(held.hold(), path, mode))));
                table.claims()
                        .forEach((id, claim) -> claim.paths()
                                .forEach((path, mode) -> claims.add(
                                        new LockDump.Claim(tree.namespace().name(), path.text(), mode.stored(), id))));
            }
        }
        return new LockDump(holds, claims);
    }

    private LockDump.Hold hold(Hold hold, TreePath path, LockMode mode) {
        return new LockDump.Hold(
                tree.namespace().name(), path.text(), mode.stored(), hold.holdId(), hold.requestId(), hold.processId());
    }

    ProcessDump processes() {
        return new ProcessDump(cluster.control(ProcessDocument.class).stream()
                .map(process -> new ProcessDump.ProcessState(
                        process.id().text(),
                        process.service(),
                        process.host(),
                        process.state().stored(),
                        process.heartbeat()))
                .toList());
    }
}
