package org.treerename.producer.reader;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.tree.RawJson;

/**
 * Answers a query with one search of the latest state, without a point in time. Throws a {@link NotEnoughException} if
 * a second search is necessary.
 */
final class OneSearch implements PointInTime {

    /** Thrown if a query needs a second search, or the id of a point in time. */
    static final class NotEnoughException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotEnoughException() {
            super("one search is not enough for this answer");
        }
    }

    private final PointInTime latest;
    private boolean hasAnswered;

    OneSearch(PointInTime latest) {
        this.latest = latest;
    }

    @Override
    public void expect(int regions) {
        if (hasAnswered || regions > 1) {
            throw new NotEnoughException();
        }
    }

    @Override
    public Batch read(Reading reading) {
        expect(1);
        Batch batch = latest.read(reading);
        hasAnswered = true;
        return batch;
    }

    @Override
    public List<Long> count(List<List<Region>> groups, @Nullable RawJson query) {
        expect(1);
        List<Long> counts = latest.count(groups, query);
        hasAnswered = true;
        return counts;
    }

    @Override
    public String id() {
        throw new NotEnoughException();
    }

    @Override
    public void close() {
        latest.close();
    }
}
