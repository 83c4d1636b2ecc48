package org.treerename.simulation;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Journal;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.namespace.Namespace;
import org.treerename.producer.reader.PointInTime;
import org.treerename.producer.reader.PointsInTime;
import org.treerename.producer.reader.Region;
import org.treerename.producer.reader.TreeViews;
import org.treerename.runtime.Time;
import org.treerename.tree.RawJson;

/**
 * The guards of readers' views. Each constant is a wiring with one guard switched off. Each description states the
 * behaviour without the guard. A reading is one read of the lock tables.
 */
enum WithoutOfReaders implements Guard {
    /** The first reading after a point in time was opened returns the lock tables of the previous reading. */
    SECOND_READING(512, (locks, journal, points, time) -> new Stale(1).views(locks, journal, points, time)),
    /** The second reading after a point in time was opened returns the lock tables of the previous reading. */
    THIRD_READING(2_358, (locks, journal, points, time) -> new Stale(2).views(locks, journal, points, time)),
    /** The point in time is opened after all readings. */
    OPENING_BETWEEN_THE_READINGS(85, with(Late::new)),
    /** The lock tables do not contain the list of removed holds. */
    RELEASES(
            9,
            (locks, journal, points, time) -> new TreeViews(withoutReleases(slow(locks, time)), journal, points, time)),
    /** Documents that an open rename moves are not shown at its destination. */
    DOCUMENTS_AT_THE_SOURCE(9, showing(region -> region.filter(any -> any.moved() == null))),
    /** Documents that an open rename moves are also shown at its source. */
    SOURCES_LEFT_OUT(
            9, showing(region -> region.map(any -> new Region(any.part(), any.moved(), List.of(), any.replacing())))),
    /** Documents that an open rename replaces are shown. */
    REPLACED_LEFT_OUT(
            72, showing(region -> region.map(any -> new Region(any.part(), any.moved(), any.without(), List.of())))),
    /** A view that must show all earlier writes is opened without a refresh. */
    REFRESH(27, with(Unrefreshed::new)),
    /** The answer to a single search is returned, although the lock tables are not checked after the search. */
    READING_AFTER_ONE_SEARCH(
            2, (locks, journal, points, time) -> new StaleAnswer().views(locks, journal, points, time)),
    /** The count of several regions is calculated from the results of several searches. */
    COUNT_IN_ONE_SEARCH(220, with(Adding::new));

    /** Opens views as {@link Wiring#views} does, but without one guard. */
    private interface Opening {
        TreeViews views(LockStore locks, Journal journal, PointsInTime points, Time time);
    }

    private static final Duration SLOW = Duration.ofMillis(150);

    private final long seed;
    private final Opening opening;

    WithoutOfReaders(long seed, Opening opening) {
        this.seed = seed;
        this.opening = opening;
    }

    @Override
    public long seed() {
        return seed;
    }

    /**
     * Returns 12. The more readers a run has, the more often a reader opens a view at the critical moment of a rename.
     */
    @Override
    public int mostReaders() {
        return 12;
    }

    @Override
    public TreeViews views(LockStore locks, Journal journal, PointsInTime points, Time time) {
        return opening.views(locks, journal, points, time);
    }

    /** Returns an {@link Opening} whose views use the result of {@code other} in place of the given points in time. */
    private static Opening with(UnaryOperator<PointsInTime> other) {
        return (locks, journal, points, time) -> new TreeViews(locks, journal, other.apply(points), time);
    }

    /**
     * Returns an {@link Opening} whose views replace each region by the result of {@code other}. The views skip a
     * region that has no result.
     */
    private static Opening showing(UnaryOperator<Optional<Region>> other) {
        return with(points -> new Changed(points, other));
    }

    /**
     * Waits before and after each read of lock tables. So a rename often begins, or is committed, or ends between two
     * steps of a reader.
     */
    private static LockStore slow(LockStore locks, Time time) {
        return new DecoratedLockStore(locks) {
            @Override
            public List<LockTable> read(Collection<LockTable.Id> tables) {
                time.pause(SLOW);
                List<LockTable> read = super.read(tables);
                time.pause(SLOW);
                return read;
            }
        };
    }

    private static LockStore withoutReleases(LockStore locks) {
        return new DecoratedLockStore(locks) {
            @Override
            public List<LockTable> read(Collection<LockTable.Id> tables) {
                return super.read(tables).stream()
                        .map(table -> new LockTable(
                                table.id(),
                                table.holds(),
                                table.claims(),
                                LockTable.empty(table.id()).releases()))
                        .toList();
            }
        };
    }

    /** Forwards each call to another object. Subclasses override only some methods. */
    private static class Forwarding implements PointsInTime {
        private final PointsInTime points;

        Forwarding(PointsInTime points) {
            this.points = points;
        }

        @Override
        public PointInTime open(Namespace namespace, boolean isRefreshed) {
            return points.open(namespace, isRefreshed);
        }

        @Override
        public PointInTime latest(Namespace namespace, boolean isRefreshed) {
            return points.latest(namespace, isRefreshed);
        }

        @Override
        public PointInTime opened(Namespace namespace, String id) {
            return points.opened(namespace, id);
        }
    }

    /** Forwards each call to a point in time. */
    private abstract static class ForwardingPoint implements PointInTime {

        abstract PointInTime point();

        @Override
        public Batch read(Reading reading) {
            return point().read(reading);
        }

        @Override
        public List<Long> count(List<List<Region>> groups, @Nullable RawJson query) {
            return point().count(groups, query);
        }

        @Override
        public String id() {
            return point().id();
        }

        @Override
        public void close() {
            point().close();
        }
    }

    /** Opens every point in time without a refresh. */
    private static final class Unrefreshed extends Forwarding {

        Unrefreshed(PointsInTime points) {
            super(points);
        }

        @Override
        public PointInTime open(Namespace namespace, boolean isRefreshed) {
            return super.open(namespace, false);
        }

        @Override
        public PointInTime latest(Namespace namespace, boolean isRefreshed) {
            return super.latest(namespace, false);
        }
    }

    /** Counts each region with a separate search. */
    private static final class Adding extends Forwarding {

        Adding(PointsInTime points) {
            super(points);
        }

        @Override
        public PointInTime latest(Namespace namespace, boolean isRefreshed) {
            PointInTime latest = super.latest(namespace, isRefreshed);
            return new ForwardingPoint() {
                @Override
                PointInTime point() {
                    return latest;
                }

                @Override
                public List<Long> count(List<List<Region>> groups, @Nullable RawJson query) {
                    return groups.stream()
                            .map(regions -> regions.stream()
                                    .mapToLong(region -> super.count(List.of(List.of(region)), query)
                                            .getFirst())
                                    .sum())
                            .toList();
                }
            };
        }
    }

    /** Replaces or skips the regions that a view reads. */
    private static final class Changed extends Forwarding {
        private final UnaryOperator<Optional<Region>> other;

        Changed(PointsInTime points, UnaryOperator<Optional<Region>> other) {
            super(points);
            this.other = other;
        }

        @Override
        public PointInTime open(Namespace namespace, boolean isRefreshed) {
            return changed(super.open(namespace, isRefreshed));
        }

        @Override
        public PointInTime latest(Namespace namespace, boolean isRefreshed) {
            return changed(super.latest(namespace, isRefreshed));
        }

        @Override
        public PointInTime opened(Namespace namespace, String id) {
            return changed(super.opened(namespace, id));
        }

        private PointInTime changed(PointInTime point) {
            return new ForwardingPoint() {
                @Override
                PointInTime point() {
                    return point;
                }

                @Override
                public Batch read(Reading reading) {
                    return other.apply(Optional.of(reading.region()))
                            .map(region -> super.read(new Reading(
                                    region,
                                    reading.query(),
                                    reading.fields(),
                                    reading.from(),
                                    reading.after(),
                                    reading.most())))
                            .orElse(new Batch(List.of(), true));
                }
            };
        }
    }

    /** Opens a point in time only when it is read for the first time. */
    private static final class Late extends Forwarding {

        Late(PointsInTime points) {
            super(points);
        }

        @Override
        public PointInTime open(Namespace namespace, boolean isRefreshed) {
            return new ForwardingPoint() {
                private @Nullable PointInTime opened;

                @Override
                PointInTime point() {
                    PointInTime point = opened == null ? Late.super.open(namespace, isRefreshed) : opened;
                    opened = point;
                    return point;
                }

                @Override
                public void close() {
                    if (opened != null) {
                        super.close();
                    }
                }
            };
        }
    }

    /** Makes one reading after the opening of a point in time return the lock tables of the previous reading. */
    private static final class Stale {
        private final int stale;
        private final Map<LockTable.Id, LockTable> last = new HashMap<>();
        private boolean isOpen;
        private int readings;

        /**
         * @param stale the number of this reading; 1 is the first reading after the opening
         */
        Stale(int stale) {
            this.stale = stale;
        }

        TreeViews views(LockStore locks, Journal journal, PointsInTime points, Time time) {
            return new TreeViews(reading(locks, time), journal, noting(points), time);
        }

        private LockStore reading(LockStore locks, Time time) {
            return new DecoratedLockStore(locks) {
                @Override
                public List<LockTable> read(Collection<LockTable.Id> tables) {
                    readings += isOpen ? 1 : 0;
                    if (isOpen && readings == stale) {
                        return tables.stream().map(last::get).toList();
                    }
                    List<LockTable> read = super.read(tables);
                    read.forEach(table -> last.put(table.id(), table));
                    if (isOpen && readings < stale) {
                        time.pause(SLOW); // renames are often committed before the reader reads their entries
                    }
                    return read;
                }
            };
        }

        /** Returns the given points in time, and records from now on whether one of them is open. */
        private PointsInTime noting(PointsInTime points) {
            return new Forwarding(points) {
                @Override
                public PointInTime open(Namespace namespace, boolean isRefreshed) {
                    PointInTime opened = super.open(namespace, isRefreshed);
                    isOpen = true;
                    readings = 0;
                    return new ForwardingPoint() {
                        @Override
                        PointInTime point() {
                            return opened;
                        }

                        @Override
                        public void close() {
                            isOpen = false;
                            last.clear();
                            super.close();
                        }
                    };
                }
            };
        }
    }

    /** Makes the reading after a search without a point in time return the lock tables of the previous reading. */
    private static final class StaleAnswer {
        private final Map<LockTable.Id, LockTable> last = new HashMap<>();
        private boolean isStale;

        TreeViews views(LockStore locks, Journal journal, PointsInTime points, Time time) {
            return new TreeViews(reading(locks), journal, noting(points), time);
        }

        private LockStore reading(LockStore locks) {
            return new DecoratedLockStore(locks) {
                @Override
                public List<LockTable> read(Collection<LockTable.Id> tables) {
                    if (isStale) {
                        isStale = false;
                        return tables.stream().map(last::get).toList();
                    }
                    List<LockTable> read = super.read(tables);
                    read.forEach(table -> last.put(table.id(), table));
                    return read;
                }
            };
        }

        private PointsInTime noting(PointsInTime points) {
            return new Forwarding(points) {
                @Override
                public PointInTime open(Namespace namespace, boolean isRefreshed) {
                    isStale = false;
                    return super.open(namespace, isRefreshed);
                }

                @Override
                public PointInTime latest(Namespace namespace, boolean isRefreshed) {
                    isStale = true;
                    return super.latest(namespace, isRefreshed);
                }
            };
        }
    }
}
