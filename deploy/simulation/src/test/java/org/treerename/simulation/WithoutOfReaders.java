package org.treerename.simulation;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.path.Namespace;
import org.treerename.reader.PointInTime;
import org.treerename.reader.PointsInTime;
import org.treerename.reader.Region;
import org.treerename.reader.TreeViews;
import org.treerename.rename.Journal;
import org.treerename.rename.RawJson;
import org.treerename.runtime.Time;

/** Readers with one guard of their views switched off. */
enum WithoutOfReaders implements Guard {
    /** After the opening a view takes the lock tables for what they were before it. */
    SECOND_READING(2500) {
        @Override
        public TreeViews views(LockStore locks, Journal journal, PointsInTime points, Time time) {
            return new Stale(1).views(locks, journal, points, time);
        }
    },
    /** A view whose second reading has found new renames takes the lock tables for what they were then. */
    THIRD_READING(5554) {
        @Override
        public TreeViews views(LockStore locks, Journal journal, PointsInTime points, Time time) {
            return new Stale(2).views(locks, journal, points, time);
        }
    },
    /** The point in time is opened after all readings. */
    OPENING_BETWEEN_THE_READINGS(72) {
        @Override
        public TreeViews views(LockStore locks, Journal journal, PointsInTime points, Time time) {
            return new TreeViews(locks, journal, new Late(points), time);
        }
    },
    /** Nobody looks which holds have left the lock tables. */
    RELEASES(4394) {
        @Override
        public TreeViews views(LockStore locks, Journal journal, PointsInTime points, Time time) {
            LockStore silent = new ForwardingLockStore(locks) {
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
            return new TreeViews(silent, journal, points, time);
        }
    },
    /** Documents that an open rename is about to move are not shown at its destination. */
    DOCUMENTS_AT_THE_SOURCE(9) {
        @Override
        public TreeViews views(LockStore locks, Journal journal, PointsInTime points, Time time) {
            return over(
                    locks, journal, points, time, region -> Optional.of(region).filter(any -> any.moved() == null));
        }
    },
    /** Documents that an open rename is about to move are also shown where they are stored. */
    SOURCES_LEFT_OUT(9) {
        @Override
        public TreeViews views(LockStore locks, Journal journal, PointsInTime points, Time time) {
            return over(
                    locks,
                    journal,
                    points,
                    time,
                    region -> Optional.of(new Region(region.part(), region.moved(), List.of(), region.replacing())));
        }
    },
    /** Documents that an open rename replaces are shown. */
    REPLACED_LEFT_OUT(815) {
        @Override
        public TreeViews views(LockStore locks, Journal journal, PointsInTime points, Time time) {
            return over(
                    locks,
                    journal,
                    points,
                    time,
                    region -> Optional.of(new Region(region.part(), region.moved(), region.without(), List.of())));
        }
    },
    /** A view that is to show all earlier writes is opened without a refresh. */
    REFRESH(10) {
        @Override
        public TreeViews views(LockStore locks, Journal journal, PointsInTime points, Time time) {
            PointsInTime unrefreshed = new PointsInTime() {
                @Override
                public PointInTime open(Namespace namespace, boolean isRefreshed) {
                    return points.open(namespace, false);
                }

                @Override
                public PointInTime opened(Namespace namespace, String id) {
                    return points.opened(namespace, id);
                }
            };
            return new TreeViews(locks, journal, unrefreshed, time);
        }
    };

    private final long seed;

    WithoutOfReaders(long seed) {
        this.seed = seed;
    }

    @Override
    public long seed() {
        return seed;
    }

    @Override
    public boolean hasReaders() {
        return true;
    }

    /** Returns views that show other regions. */
    private static TreeViews over(
            LockStore locks,
            Journal journal,
            PointsInTime points,
            Time time,
            Function<Region, Optional<Region>> other) {
        PointsInTime changed = new PointsInTime() {
            @Override
            public PointInTime open(Namespace namespace, boolean isRefreshed) {
                return new Changed(points.open(namespace, isRefreshed), other);
            }

            @Override
            public PointInTime opened(Namespace namespace, String id) {
                return new Changed(points.opened(namespace, id), other);
            }
        };
        return new TreeViews(locks, journal, changed, time);
    }

    /** A point in time that shows other regions than it is asked for, or nothing in place of one. */
    private record Changed(PointInTime point, Function<Region, Optional<Region>> other) implements PointInTime {

        @Override
        public Batch read(Reading reading) {
            return other.apply(reading.region())
                    .map(region -> point.read(new Reading(
                            region,
                            reading.query(),
                            reading.fields(),
                            reading.from(),
                            reading.after(),
                            reading.most())))
                    .orElse(new Batch(List.of(), true));
        }

        @Override
        public List<Long> count(List<List<Region>> groups, @Nullable RawJson query) {
            return point.count(groups, query);
        }

        @Override
        public String id() {
            return point.id();
        }

        @Override
        public void close() {
            point.close();
        }
    }

    /** Opens a point in time only when the first answer is asked of it. */
    private record Late(PointsInTime points) implements PointsInTime {

        @Override
        public PointInTime open(Namespace namespace, boolean isRefreshed) {
            return new PointInTime() {
                private @Nullable PointInTime opened;

                private PointInTime opened() {
                    PointInTime point = opened == null ? points.open(namespace, isRefreshed) : opened;
                    opened = point;
                    return point;
                }

                @Override
                public Batch read(Reading reading) {
                    return opened().read(reading);
                }

                @Override
                public List<Long> count(List<List<Region>> groups, @Nullable RawJson query) {
                    return opened().count(groups, query);
                }

                @Override
                public String id() {
                    return opened().id();
                }

                @Override
                public void close() {
                    if (opened != null) {
                        opened.close();
                    }
                }
            };
        }

        @Override
        public PointInTime opened(Namespace namespace, String id) {
            return points.opened(namespace, id);
        }
    }

    /** Returns in one reading after the opening the lock tables of the reading before. */
    private static final class Stale {
        private final int stale;
        private final Map<LockTable.Id, LockTable> last = new LinkedHashMap<>();
        private boolean isOpen;
        private int readings;

        /**
         * @param stale which reading after the opening
         */
        Stale(int stale) {
            this.stale = stale;
        }

        TreeViews views(LockStore locks, Journal journal, PointsInTime points, Time time) {
            LockStore store = new ForwardingLockStore(locks) {
                @Override
                public List<LockTable> read(Collection<LockTable.Id> tables) {
                    readings += isOpen ? 1 : 0;
                    if (isOpen && readings == stale) {
                        return tables.stream().map(last::get).toList();
                    }
                    List<LockTable> read = super.read(tables);
                    read.forEach(table -> last.put(table.id(), table));
                    return read;
                }
            };
            return new TreeViews(store, journal, new Told(points), time);
        }

        /** Tells when a point in time is open. */
        private final class Told implements PointsInTime {
            private final PointsInTime points;

            Told(PointsInTime points) {
                this.points = points;
            }

            @Override
            public PointInTime open(Namespace namespace, boolean isRefreshed) {
                PointInTime opened = points.open(namespace, isRefreshed);
                isOpen = true;
                readings = 0;
                return new PointInTime() {
                    @Override
                    public Batch read(Reading reading) {
                        return opened.read(reading);
                    }

                    @Override
                    public List<Long> count(List<List<Region>> groups, @Nullable RawJson query) {
                        return opened.count(groups, query);
                    }

                    @Override
                    public String id() {
                        return opened.id();
                    }

                    @Override
                    public void close() {
                        isOpen = false;
                        last.clear();
                        opened.close();
                    }
                };
            }

            @Override
            public PointInTime opened(Namespace namespace, String id) {
                return points.opened(namespace, id);
            }
        }
    }
}
