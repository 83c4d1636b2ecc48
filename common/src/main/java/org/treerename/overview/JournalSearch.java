package org.treerename.overview;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPriority;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.State;
import org.treerename.rename.Status;

/**
 * The journal as people look through it, page by page. Any thread may call it; each call may throw {@link
 * org.treerename.store.NoAnswerException}.
 */
public interface JournalSearch {

    /** Entries on a page, at most. */
    int LARGEST_PAGE = 1_000;

    /** Entries that one call reads for a page of those with a text or a status. */
    int MOST_READ = 10_000;

    /**
     * Which entries are wanted: those to which all of it applies.
     *
     * @param states in one of these
     * @param namespace null for any
     * @param owner the process that carries it; null for any
     * @param since asked then or later; null for whenever
     * @param status of its outcome, as it is published; null for any, or none
     * @param text contained, in any case, in the request id, in a path, or in who asked; null for any
     */
    record Filter(
            Set<State> states,
            @Nullable String namespace,
            @Nullable String owner,
            @Nullable Instant since,
            @Nullable Status status,
            @Nullable String text) {

        public static final Filter ALL = new Filter(EnumSet.allOf(State.class), null, null, null, null, null);

        public Filter {
            states = Set.copyOf(states);
        }

        public Filter in(Set<State> others) {
            return new Filter(others, namespace, owner, since, status, text);
        }

        public Filter of(@Nullable String other) {
            return new Filter(states, other, owner, since, status, text);
        }

        public Filter ownedBy(@Nullable String other) {
            return new Filter(states, namespace, other, since, status, text);
        }

        public Filter since(@Nullable Instant other) {
            return new Filter(states, namespace, owner, other, status, text);
        }

        public Filter with(@Nullable String other) {
            return new Filter(states, namespace, owner, since, status, other);
        }

        public Filter endedAs(@Nullable Status other) {
            return new Filter(states, namespace, owner, since, other, text);
        }

        /** Whether it asks for what only the reading of an entry tells: its status, or a text in it. */
        public boolean isOfContents() {
            return status != null || text != null;
        }

        /** Whether that applies to an entry. */
        public boolean isOf(JournalEntry entry) {
            boolean ended = status == null || OverviewJson.status(entry).equals(Optional.of(status.published()));
            return ended && isTextIn(entry);
        }

        private boolean isTextIn(JournalEntry entry) {
            if (text == null) {
                return true;
            }
            String wanted = text.toLowerCase(Locale.ROOT);
            return texts(entry).anyMatch(told -> told.toLowerCase(Locale.ROOT).contains(wanted));
        }

        private static Stream<String> texts(JournalEntry entry) {
            Stream<String> ids = Stream.concat(Stream.of(entry.requestId()), Stream.ofNullable(entry.requestedBy()));
            var request = entry.request();
            Stream<String> ends = request == null ? Stream.empty() : Stream.of(request.source(), request.destination());
            var writeTarget = entry.writeTarget();
            Stream<String> directories = writeTarget == null ? Stream.empty() : writeTarget.directories().stream();
            return Stream.concat(ids, Stream.concat(ends, directories));
        }
    }

    /** By when they were asked. */
    enum Order {
        OLDEST_FIRST,
        NEWEST_FIRST
    }

    /**
     * Some of what was asked for.
     *
     * @param next after which more may follow; null if nothing does
     */
    record Page(List<JournalEntry> entries, @Nullable LockPriority next) {
        public Page {
            entries = List.copyOf(entries);
        }
    }

    /**
     * The next entries, as a search after a refresh shows them; those of a later protocol are left out. A page of those with a
     * text or a status may be shorter than asked for, or empty, and yet have a next one: one call reads {@value #MOST_READ}
     * entries at most.
     *
     * @param after {@link Page#next} of the page before; null for the first page
     * @param most 1 to {@value #LARGEST_PAGE}
     */
    Page find(Filter filter, Order order, @Nullable LockPriority after, int most);

    /** How many entries in one of these states each process carries, by process id, as a search after a refresh shows it. */
    Map<String, Long> carried(Set<State> states);

    /** How many entries are in each state, likewise; a state without any may be missing. */
    Map<State, Long> counted();

    /** {@code most} itself, if a page may be so large. */
    static int requirePage(int most) {
        if (most < 1 || most > LARGEST_PAGE) {
            throw new IllegalArgumentException("a page has 1 to " + LARGEST_PAGE + " entries, found " + most);
        }
        return most;
    }
}
