package org.treerename.checker;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The documents that writers without locks created or deleted during a run, and the possible paths of each of these
 * documents. Whether a rename moves a created document depends on the state of the rename at the time of the creation:
 * <ul>
 *   <li>not decided: the rename must move the document;
 *   <li>in progress: the rename may move the document;
 *   <li>ended: the rename does not move the document.
 * </ul>
 * An edit changes only the expected contents of a document.
 */
final class Others {

    /** If this element is among the possible paths of a document, the document may not exist any more. */
    private static final String GONE = "";

    private final Run run;
    private final Map<String, JournalDump.Entry> entries;
    private final Map<String, Set<String>> places = new HashMap<>();
    private final Map<String, String> digests = new HashMap<>();
    private final Set<String> everywhere = new HashSet<>();

    /**
     * At the decision of each rename, this set receives the paths in {@link #everywhere}, and the new paths that the
     * rename gives to documents at these paths. A directory at one of these paths may be missing: it was deleted, or a
     * rename moved only the documents below it.
     */
    private final Set<String> parents = new HashSet<>();

    /** By request id: the documents in {@link #places} at the decision of each rename that is in progress. */
    private final Map<String, Set<String>> moving = new HashMap<>();

    private Others(Run run, Map<String, JournalDump.Entry> entries) {
        this.run = run;
        this.entries = entries;
    }

    static Others of(Run run) {
        Map<String, JournalDump.Entry> entries = new HashMap<>();
        run.control().journal().entries().forEach(entry -> entries.put(entry.requestId(), entry));
        Others others = new Others(run, entries);
        Set<String> known =
                run.before().stored().stream().map(s -> s.document().id()).collect(Collectors.toSet());
        Set<String> loose = run.history().events().stream()
                .filter(History.Event.Others.class::isInstance)
                .map(History.Event.Others.class::cast)
                .filter(event -> event.path() == null || !known.contains(event.document()))
                .map(History.Event.Others::document)
                .collect(Collectors.toSet());
        for (TreeDump.StoredDocument stored : run.before().stored()) {
            String path = stored.path();
            if (path != null && loose.contains(stored.document().id())) {
                others.place(stored.document().id(), Set.of(path));
            }
        }
        run.history().events().forEach(event -> others.happens(event, loose));
        return others;
    }

    private void happens(History.Event event, Set<String> loose) {
        switch (event) {
            case History.Event.Others other -> written(other, loose.contains(other.document()));
            case History.Event.Decided decided -> decided(decided.requestId());
            case History.Event.Ended ended -> ended(ended.requestId());
            case History.Event.Sent none -> {}
            case History.Event.Answered none -> {}
            case History.Event.Wrote none -> {}
            case History.Event.Forgot none -> {}
            case History.Event.Fenced none -> {}
        }
    }

    private void written(History.Event.Others event, boolean loose) {
        String path = event.path();
        if (event.digest() != null) {
            digests.put(event.document(), event.digest());
        }
        if (!loose) {
            return;
        }
        boolean edited = path != null
                && places.getOrDefault(event.document(), Set.of(GONE)).contains(path);
        if (!edited) {
            moving.values().forEach(there -> there.remove(event.document()));
            place(event.document(), path == null ? Set.of(GONE) : withImages(Set.of(path), moving.keySet()));
        }
    }

    private Set<String> withImages(Set<String> before, Collection<String> renames) {
        Set<String> after = new LinkedHashSet<>(before);
        for (String rename : renames) {
            way(rename)
                    .ifPresent(way -> before.stream().filter(way::covers).forEach(path -> after.add(way.image(path))));
        }
        return after;
    }

    private void decided(String requestId) {
        JournalDump.Entry entry = entries.get(requestId);
        Optional<Way> way = way(requestId);
        if (entry == null || way.isEmpty() || !entry.isDecidedToMove()) {
            return;
        }
        moving.put(requestId, new HashSet<>(places.keySet()));
        parents.addAll(everywhere);
        parents.addAll(withImages(parents, Set.of(requestId)));
        places.replaceAll((document, before) -> {
            Set<String> after = withImages(before, Set.of(requestId));
            if (entry.replace() && before.contains(way.get().destination().text())) {
                after.add(GONE);
            }
            everywhere.addAll(after);
            return after;
        });
    }

    private void ended(String requestId) {
        Set<String> there = moving.remove(requestId);
        if (there != null) {
            way(requestId)
                    .ifPresent(way -> there.forEach(document -> places.computeIfPresent(
                            document,
                            (id, before) -> before.stream()
                                    .filter(path -> !way.covers(path))
                                    .collect(Collectors.toSet()))));
        }
    }

    private Optional<Way> way(String requestId) {
        return Optional.ofNullable(entries.get(requestId)).flatMap(run::way);
    }

    private void place(String document, Set<String> paths) {
        places.put(document, paths);
        everywhere.addAll(paths);
    }

    /** Returns whether a writer without locks has created or deleted the document. */
    boolean isLoose(String document) {
        return places.containsKey(document);
    }

    Set<String> loose() {
        return Set.copyOf(places.keySet());
    }

    boolean mayBeAt(String document, String path) {
        return places.getOrDefault(document, Set.of()).contains(path);
    }

    boolean mayBeGone(String document) {
        return mayBeAt(document, GONE);
    }

    /**
     * Returns whether a document may have been at this path at any time. Considers only documents for which {@link
     * #isLoose} is true.
     */
    boolean mayHaveStoodAt(String path) {
        return everywhere.contains(path) || parents.contains(path);
    }

    /** Returns whether a document can affect a rename. Considers only documents for which {@link #isLoose} is true. */
    boolean meddleWith(Way way) {
        return everywhere.stream().filter(path -> !path.equals(GONE)).anyMatch(way::overlaps);
    }

    /**
     * Returns the digest of a document after its last write without locks; empty if there was no write without locks.
     */
    Optional<String> digest(String document) {
        return Optional.ofNullable(digests.get(document));
    }
}
