package org.treerename.producer.reader;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.producer.reader.PointInTime.Found;
import org.treerename.tree.Document;
import org.treerename.tree.RawJson;

/**
 * Reads the documents of several regions in the order of their logical keys. Either the same rename moves all documents
 * of a region, or no rename moves these documents. So the logical order in a region equals the order of the stored
 * keys. This class reads a region only when the next key may be in this region. Only one thread calls this class.
 */
final class Merge {

    /**
     * The selection of documents and fields.
     *
     * @param query the query that the documents match; null for all documents
     * @param fields the fields that are read; if empty, whole documents are read
     * @param ahead the number of documents that one request reads
     */
    record Question(@Nullable RawJson query, List<String> fields, int ahead) {}

    /** The next document in the order of the keys. */
    record Item(Region region, Document document, List<String> key, String path) {}

    private static final Comparator<Cursor> BY_KEY =
            Comparator.comparing(cursor -> cursor.ready.getFirst().key, Keys.ORDER);

    private final PointInTime points;
    private final Keys keys;
    private final List<Region> regions;
    private final Question question;
    private final int phase;
    private final List<Cursor> open = new ArrayList<>();
    private int ahead;
    private int unopened;
    private @Nullable String from;

    Merge(PointInTime points, Keys keys, List<Region> regions, Question question, Position begin) {
        this.points = points;
        this.keys = keys;
        this.regions = regions.stream()
                .sorted(Comparator.comparing(keys::least, Keys.ORDER))
                .toList();
        this.question = question;
        this.ahead = question.ahead();
        this.phase = begin.phase();
        this.unopened = begin.unopened();
        if (unopened < 0 || unopened > this.regions.size()) {
            throw new IllegalArgumentException(
                    "the position of the page belongs to another search; request the first page again");
        }
        this.from = begin.from();
        for (Position.At at : begin.open()) {
            Cursor cursor = new Cursor(at.region());
            cursor.after = at.after();
            open.add(cursor);
        }
    }

    /** Returns the next document without removing it; empty at the end. */
    Optional<Item> peek() {
        return first().map(cursor -> cursor.ready.getFirst().item);
    }

    /** Removes and returns the next document; empty at the end. */
    Optional<Item> next() {
        return first().map(cursor -> {
            Ready ready = cursor.ready.removeFirst();
            cursor.after = ready.position;
            return ready.item;
        });
    }

    /** Skips the documents whose keys have a first part that is less than the given text. */
    void seek(String least) {
        from = least;
        open.forEach(cursor -> cursor.ready.removeIf(ready -> Keys.TEXTS.compare(ready.key.getFirst(), least) < 0));
    }

    /** Returns the position behind the last document that {@link #next} returned. */
    Position position() {
        List<Position.At> at = open.stream()
                .filter(cursor -> !cursor.isEnded || !cursor.ready.isEmpty())
                .map(cursor -> new Position.At(cursor.region, cursor.after))
                .toList();
        return new Position(unopened, at, from, phase);
    }

    private Optional<Cursor> first() {
        while (true) {
            open.forEach(Cursor::fill);
            Optional<Cursor> first =
                    open.stream().filter(cursor -> !cursor.ready.isEmpty()).min(BY_KEY);
            boolean isKnown = unopened == regions.size()
                    || (first.isPresent()
                            && Keys.ORDER.compare(first.get().ready.getFirst().key, keys.least(regions.get(unopened)))
                                    < 0);
            if (isKnown) {
                return first;
            }
            open.add(new Cursor(unopened++));
        }
    }

    private record Ready(Item item, List<String> key, String position) {}

    /** The progress of reading one region. */
    private final class Cursor {

        private final int region;
        private final Deque<Ready> ready = new ArrayDeque<>();
        private @Nullable String after;
        private boolean isEnded;

        Cursor(int region) {
            this.region = region;
        }

        void fill() {
            while (ready.isEmpty() && !isEnded) {
                Region read = regions.get(region);
                Keys.Bound bound = from == null ? new Keys.Bound("", false) : keys.stored(read, from);
                if (bound.isBehind()) {
                    isEnded = true;
                    return;
                }
                PointInTime.Batch batch = points.read(new PointInTime.Reading(
                        read,
                        question.query(),
                        question.fields(),
                        bound.from().isEmpty() ? null : bound.from(),
                        after,
                        ahead));
                if (!batch.isLast()) {
                    // a larger batch would probably be too large again
                    ahead = Math.max(1, batch.found().size());
                }
                isEnded = batch.isLast() || batch.found().isEmpty();
                batch.found().forEach(found -> ready.add(ready(read, found)));
            }
        }

        private Ready ready(Region read, Found found) {
            String stored = keys.byDirectory()
                    ? keys.namespace()
                            .notation()
                            .childOf(found.key().getFirst(), found.key().getLast())
                    : found.key().getFirst();
            String path = read.logical(stored);
            List<String> key = keys.of(path);
            return new Ready(new Item(read, found.document(), key, path), key, found.position());
        }
    }
}
