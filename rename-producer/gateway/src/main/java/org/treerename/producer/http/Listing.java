package org.treerename.producer.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.State;
import org.treerename.lock.LockPriority;
import org.treerename.overview.Cursors;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.OverviewJson;
import org.treerename.request.RequestIds;

/**
 * A request for a page of renames.
 *
 * @param after the position at which the previous page ended; null for the first page
 */
record Listing(Filter filter, @Nullable LockPriority after, int limit) {

    static final int DEFAULT_LIMIT = 20;
    static final int LARGEST_LIMIT = 100;

    /** All states except HELD, which only the entry of a writer has. */
    private static final Set<State> STATES = EnumSet.complementOf(EnumSet.of(State.HELD));

    private static final Set<String> PARAMETERS = Set.of("state", "namespace", "path", "since", "limit", "after");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    /**
     * Reads the query of a URL: the encoded text after the question mark.
     *
     * @throws ProblemException if a parameter is not valid; the exception names the parameter
     */
    static Listing of(String rawQuery) {
        Map<String, String> given = parameters(rawQuery, PARAMETERS);
        Filter filter = Filter.ALL
                .in(states(given.get("state")))
                .of(given.get("namespace"))
                .beginningWith(given.get("path"))
                .since(since(given.get("since")));
        return new Listing(filter, age(given.get("after")), limit(given.get("limit")));
    }

    /**
     * Decodes the parameters in the query of a URL.
     *
     * @throws ProblemException if a parameter is not expected, or is given twice
     */
    static Map<String, String> parameters(String rawQuery, Set<String> expected) {
        Map<String, String> given = new HashMap<>();
        if (rawQuery.isEmpty()) {
            return given;
        }
        for (String pair : rawQuery.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            String name = parts[0];
            if (!expected.contains(name)) {
                throw new ProblemException(
                        Problem.INVALID_REQUEST,
                        "unknown parameter; expected "
                                + String.join(", ", expected.stream().sorted().toList()),
                        null);
            }
            // HTML forms and most clients write a space as a plus sign
            String value = parts.length == 1 ? "" : parts[1].replace('+', ' ');
            Optional<String> decoded = Percent.decode(value);
            if (decoded.isEmpty()) {
                throw wrong("expected percent-encoded UTF-8", name);
            }
            if (given.put(name, decoded.get()) != null) {
                throw wrong("expected one value, found several", name);
            }
        }
        return given;
    }

    private static Set<State> states(@Nullable String words) {
        if (words == null) {
            return STATES;
        }
        Set<State> states = EnumSet.noneOf(State.class);
        for (String word : words.split(",", -1)) {
            states.add(STATES.stream()
                    .filter(state -> OverviewJson.word(state).equals(word))
                    .findFirst()
                    .orElseThrow(() -> wrong(
                            "expected one or more of these states, separated by commas: "
                                    + String.join(
                                            ", ",
                                            STATES.stream()
                                                    .map(OverviewJson::word)
                                                    .toList()),
                            "state")));
        }
        return states;
    }

    private static @Nullable Instant since(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            Instant since = Instant.parse(text);
            if (!since.isBefore(Instant.EPOCH) && !since.isAfter(LATEST)) {
                return since;
            }
        } catch (DateTimeException e) {
            throw notATime();
        }
        throw notATime();
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return DEFAULT_LIMIT;
        }
        if (text.matches("[0-9]{1,3}")) {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= LARGEST_LIMIT) {
                return limit;
            }
        }
        throw wrong("expected 1 to " + LARGEST_LIMIT, "limit");
    }

    private static @Nullable LockPriority age(@Nullable String cursor) {
        if (cursor == null) {
            return null;
        }
        try {
            LockPriority age = Cursors.age(cursor);
            if (RequestIds.problem(age.requestId()).isEmpty()) {
                return age;
            }
        } catch (IllegalArgumentException e) {
            throw notACursor();
        }
        throw notACursor();
    }

    private static ProblemException notATime() {
        return wrong("expected a time such as 2026-01-31T12:00:00Z", "since");
    }

    private static ProblemException notACursor() {
        return wrong("expected the value of next from the previous page", "after");
    }

    private static ProblemException wrong(String detail, String parameter) {
        return new ProblemException(Problem.INVALID_REQUEST, detail, parameter);
    }
}
