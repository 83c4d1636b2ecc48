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
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.LockPriority;
import org.treerename.request.Status;

/**
 * Searches the journal page by page, to show renames to people. Each call may throw {@link
 * org.treerename.store.NoAnswerException}.
 */
public interface JournalSearch {

    /** The largest number of entries on a page. */
    int LARGEST_PAGE = 1_000;

    /** The largest number of entries that one call reads if the filter contains a text, a status or a prefix. */
    int MOST_READ = 10_000;

    /**
     * A filter of journal entries. An entry matches the filter if it satisfies all conditions.
     *
     * @param states the possible states of the entry
     * @param namespace the namespace; null for any namespace
     * @param owner the process that owns the entry; null for any process
     * @param since the earliest time of the request; null for any time
     * @param status the status of the published outcome; if null, entries with any status and entries without an
     *     outcome match
     * @param text a text that must be part of the request id, of a path or of the requester; upper and lower case are
     *     treated as equal; null for any text
     * @param prefix the beginning of the source or of the destination; null for any path
     */
    record Filter(
            Set<State> states,
            @Nullable String namespace,
            @Nullable String owner,
            @Nullable Instant since,
            @Nullable Status status,
            @Nullable String text,
            @Nullable String prefix) {

        public static final Filter ALL = new Filter(EnumSet.allOf(State.class), null, null, null, null, null, null);

        public Filter {
            states = Set.copyOf(states);
        }

        public Filter in(Set<State> others) {
            return new Filter(others, namespace, owner, since, status, text, prefix);
        }

        public Filter of(@Nullable String other) {
            return new Filter(states, other, owner, since, status, text, prefix);
        }

        public Filter ownedBy(@Nullable String other) {
            return new Filter(states, namespace, other, since, status, text, prefix);
        }

        public Filter since(@Nullable Instant other) {
            return new Filter(states, namespace, owner, other, status, text, prefix);
        }

        public Filter with(@Nullable String other) {
            return new Filter(states, namespace, owner, since, status, other, prefix);
        }

        public Filter endedAs(@Nullable Status other) {
            return new Filter(states, namespace, owner, since, other, text, prefix);
        }

        public Filter beginningWith(@Nullable String other) {
            return new Filter(states, namespace, owner, since, status, text, other);
        }

        /**
         * Returns whether the filter contains a status, a text or a prefix. These conditions can be checked only after
         * the entry is read.
         */
        public boolean isOfContents() {
            return status != null || text != null || prefix != null;
        }

        /** Returns whether an entry matches the status, the text and the prefix. */
        public boolean isOf(JournalEntry entry) {
            boolean ended = status == null || OverviewJson.status(entry).equals(Optional.of(status.published()));
            return ended && isTextIn(entry) && isPrefixOf(entry);
        }

        private boolean isPrefixOf(JournalEntry entry) {
            var request = entry.request();
            return prefix == null
                    || (request != null
                            && (request.source().startsWith(prefix)
                                    || request.destination().startsWith(prefix)));
        }

        private boolean isTextIn(JournalEntry entry) {
            if (text == null) {
                return true;
            }
            String wanted = text.toLowerCase(Locale.ROOT);
            return texts(entry).anyMatch(found -> found.toLowerCase(Locale.ROOT).contains(wanted));
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

    /** The order of the entries, by the time of the request. */
    enum Order {
        OLDEST_FIRST,
        NEWEST_FIRST
    }

    /**
     * A page of the entries that match a filter.
     *
     * @param next the position after which more entries may follow; null if this is the last page
     */
    record Page(List<JournalEntry> entries, @Nullable LockPriority next) {
        public Page {
            entries = List.copyOf(entries);
        }
    }

    /**
     * Returns the next page of entries, found by a search after a refresh. The search omits entries of a later protocol
     * version. One call reads at most {@value #MOST_READ} entries. So if the filter contains a text, a status or a
     * prefix, a page may be short or empty although a next page exists.
     *
     * @param after {@link Page#next} of the previous page; null for the first page
     * @param most the largest number of entries, 1 to {@value #LARGEST_PAGE}
     */
    Page find(Filter filter, Order order, @Nullable LockPriority after, int most);

    /**
     * Returns the renames that ended at or after a time, in the order of their end, the latest first. The search runs
     * after a refresh, and omits entries of a later protocol version.
     *
     * @param most the largest number of entries, 1 to {@value #LARGEST_PAGE}
     */
    List<JournalEntry> endedSince(Instant since, int most);

    /**
     * Returns the number of entries in the given states for each owner. The keys are process ids. The search runs after
     * a refresh.
     */
    Map<String, Long> countByOwner(Set<State> states);

    /**
     * Returns the number of entries in each state, found by a search after a refresh. A state without entries may be
     * missing.
     */
    Map<State, Long> counted();

    /** Returns {@code most}, or throws if {@code most} is not an allowed page size. */
    static int requirePage(int most) {
        if (most < 1 || most > LARGEST_PAGE) {
            throw new IllegalArgumentException("a page must have 1 to " + LARGEST_PAGE + " entries, found " + most);
        }
        return most;
    }
}
