package org.treerename.checker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.checker.TreeModel.Applied;
import org.treerename.namespace.VersionOwner;

/**
 * Applies the renames of a run to a model, in the order of the sequence numbers of their decisions. Each rename that
 * took effect must be possible at its place in this order. Each reason for a rejection must be true. If documents of
 * writers without locks may affect a rename, the class accepts each result that these documents can cause.
 */
final class Replay {

    /** The move of one document by a rename. */
    record Move(JournalDump.Entry by, String from, String to) {}

    private static final int POINT = 6;

    /** The model does not know the versions of documents. So this reason is correct only if no other reason applies. */
    private static final String OLDER_VERSION = "older_version";

    private static final String INVALID_REQUEST = "invalid_request";
    private static final String UNKNOWN_PREDECESSOR = "unknown_predecessor";

    private final Run run;
    private final Others others;
    private final Demands demands;
    private final Findings findings;
    private final TreeModel model;
    private final Map<String, List<Move>> moves = new HashMap<>();
    private final Map<String, JournalDump.Entry> replaced = new HashMap<>();
    private final Map<String, String> places = new HashMap<>();

    private Replay(Run run, Others others, Findings findings) {
        this.run = run;
        this.others = others;
        this.demands = Demands.of(run);
        this.findings = findings;
        this.model = TreeModel.of(new TreeDump(
                run.namespace(),
                run.before().stored().stream()
                        .filter(stored -> !others.isLoose(stored.document().id()))
                        .toList()));
    }

    static Replay of(Run run, Others others, Findings findings) {
        Replay replay = new Replay(run, others, findings);
        replay.inOrder().forEach(replay::play);
        replay.model.forEach((path, document) -> replay.places.put(document.id(), path));
        return replay;
    }

    /** Returns the path where a document must be at the end of the run; null if the document must not exist. */
    @Nullable
    String place(String document) {
        return places.get(document);
    }

    /** Returns the moves of a document, in the order of the renames. */
    List<Move> moves(String document) {
        return moves.getOrDefault(document, List.of());
    }

    /** Returns the entry of the rename that removed the document; empty if no rename removed it. */
    Optional<JournalDump.Entry> replacedBy(String document) {
        return Optional.ofNullable(replaced.get(document));
    }

    private List<JournalDump.Entry> inOrder() {
        List<JournalDump.Entry> decided = new ArrayList<>();
        Set<Long> numbers = new HashSet<>();
        for (JournalDump.Entry entry : run.control().journal().entries()) {
            Long number = entry.decidedSeqNo();
            if (number == null) {
                if (entry.isEnded() || entry.isDecidedToMove()) {
                    findings.add(
                            POINT,
                            words(entry) + " is decided, but its entry has no sequence number of the deciding write");
                }
            } else if (!numbers.add(number)) {
                findings.add(
                        POINT,
                        words(entry) + " was decided by write " + number + ", which also decided another request");
            } else {
                decided.add(entry);
            }
        }
        decided.sort(Comparator.comparing(entry -> Objects.requireNonNull(entry.decidedSeqNo())));
        return decided;
    }

    private void play(JournalDump.Entry entry) {
        if (entry.isDecidedToMove()) {
            moved(entry);
        } else if ("rejected".equals(entry.status())) {
            rejected(entry);
        } else if ("cancelled".equals(entry.status())) {
            cancelled(entry);
        } else if ("locked".equals(entry.reason()) && entry.refusals() == 0 && !demands.followsAnother(entry)) {
            findings.add(POINT, words(entry) + " failed with the reason locked, but none of its locks was refused");
        }
    }

    private void moved(JournalDump.Entry entry) {
        Way way = run.way(entry).orElse(null);
        if (way == null) {
            findings.add(POINT, words(entry) + " took effect, but its paths are not valid");
            return;
        }
        Map<String, Move> covered = new HashMap<>();
        if (!way.changesNothing()) {
            model.forEachAtOrBelow(
                    way.source(),
                    (path, document) -> covered.put(document.id(), new Move(entry, path, way.image(path))));
        }
        Optional<TreeDocument> there = way.changesNothing()
                ? Optional.empty()
                : model.at(way.destination().text());
        Applied applied = apply(entry);
        if (applied instanceof Applied.Rejected rejected && !isExplainedByOthers(entry, way, rejected.rejection())) {
            findings.add(
                    POINT,
                    words(entry) + " took effect, but at its place in the order of the decisions (write "
                            + entry.decidedSeqNo() + ") it must be rejected: "
                            + rejected.rejection().published());
            return;
        }
        there.ifPresent(document -> replaced.put(document.id(), entry));
        covered.forEach((document, move) ->
                moves.computeIfAbsent(document, none -> new ArrayList<>()).add(move));
    }

    private Applied apply(JournalDump.Entry entry) {
        String source = Objects.requireNonNull(entry.source());
        boolean isNamed = isNamedOneAt(source, entry);
        Applied applied = model.apply(source, Objects.requireNonNull(entry.destination()), entry.replace());
        return switch (applied) {
            case Applied.Renamed renamed
            when !isNamed -> {
                model.undo();
                yield new Applied.Rejected(Rejection.SOURCE_NOT_FOUND);
            }
            case Applied.Rejected rejected
            when !isNamed && rejected.rejection().compareTo(Rejection.SOURCE_NOT_FOUND) > 0 ->
                new Applied.Rejected(Rejection.SOURCE_NOT_FOUND);
            default -> applied;
        };
    }

    private boolean isNamedOneAt(String source, JournalDump.Entry entry) {
        Optional<String> named = demands.sourceId(entry);
        return named.isEmpty()
                || model.at(source)
                        .filter(document -> idInItsIndex(document).equals(named.get()))
                        .isPresent();
    }

    private static String idInItsIndex(TreeDocument document) {
        return document.id().substring(document.id().indexOf('/') + 1);
    }

    /**
     * Returns whether documents of writers without locks explain why a rename that the model rejects took effect. If
     * so, this method has applied the rename to the model.
     */
    private boolean isExplainedByOthers(JournalDump.Entry entry, Way way, Rejection rejection) {
        if (!others.meddleWith(way)) {
            return false;
        }
        if (rejection == Rejection.SOURCE_NOT_FOUND
                && (way.changesNothing()
                        || model.documentsAtOrBelow(way.source().text()) == 0)) {
            if (entry.replace() && !way.changesNothing()) {
                model.remove(way.destination());
            }
            return true;
        }
        String destination = way.destination().text();
        long atDestination = model.documentsAtOrBelow(destination);
        boolean isReplaced =
                entry.replace() && atDestination == 1 && model.at(destination).isPresent();
        if (atDestination > 0 && !isReplaced) {
            return false;
        }
        model.move(way.source(), way.destination());
        return true;
    }

    /** If the rename has moved documents, {@link Placement} finds these documents at wrong paths. */
    private void cancelled(JournalDump.Entry entry) {
        if (entry.committedAt() != null) {
            findings.add(POINT, words(entry) + " was cancelled, but was committed at " + entry.committedAt());
        }
    }

    private void rejected(JournalDump.Entry entry) {
        Optional<String> expected = expectedReason(entry);
        if (expected.isPresent() ? expected.get().equals(entry.reason()) : mayBeOlder(entry)) {
            return;
        }
        if (isTrueOfItsRecord(entry)) {
            return;
        }
        if (run.way(entry).filter(others::meddleWith).isPresent()) {
            return;
        }
        findings.add(
                POINT,
                words(entry) + " was rejected as " + entry.reason()
                        + ", but at its place in the order of the decisions (write " + entry.decidedSeqNo() + ") "
                        + expected.map(reason -> "it must be rejected as " + reason)
                                .orElse("it must be completed"));
    }

    /** Returns whether the options in the record of the request, and not the tree, justify the rejection. */
    private boolean isTrueOfItsRecord(JournalDump.Entry entry) {
        return (INVALID_REQUEST.equals(entry.reason()) && demands.hasWrongVersion(entry))
                || (UNKNOWN_PREDECESSOR.equals(entry.reason()) && demands.followsAnUnknownOne(entry));
    }

    private boolean mayBeOlder(JournalDump.Entry entry) {
        return OLDER_VERSION.equals(entry.reason()) && run.namespace().rules().version() != VersionOwner.SEQ_NO;
    }

    /** Returns empty if the rename must be completed. */
    private Optional<String> expectedReason(JournalDump.Entry entry) {
        if (entry.namespace() == null || entry.source() == null || entry.destination() == null) {
            return Optional.of(INVALID_REQUEST);
        }
        if (!entry.namespace().equals(run.namespace().name())) {
            return Optional.of("unknown_namespace");
        }
        return switch (apply(entry)) {
            case Applied.Rejected rejected -> Optional.of(rejected.rejection().published());
            case Applied.Renamed renamed -> {
                model.undo();
                yield Optional.empty();
            }
        };
    }

    static String words(JournalDump.Entry entry) {
        return "request " + entry.requestId() + " (" + entry.source() + " to " + entry.destination() + ")";
    }
}
