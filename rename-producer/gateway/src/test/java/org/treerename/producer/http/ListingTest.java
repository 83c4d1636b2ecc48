package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.journal.State;
import org.treerename.lock.LockPriority;
import org.treerename.overview.Cursors;
import org.treerename.overview.JournalSearch.Filter;

class ListingTest {

    @Test
    void without_parameters_it_is_the_first_page_of_all_renames() {
        assertThat(Listing.of(""))
                .isEqualTo(new Listing(Filter.ALL.in(EnumSet.complementOf(EnumSet.of(State.HELD))), null, 20));
    }

    @Test
    void reads_each_parameter() {
        LockPriority age = new LockPriority(1_700_000_000_000L, "a:b/\u00e4");

        assertThat(Listing.of(
                        "state=moving,parked&namespace=a%2Fb+c&path=%2Fa&since=2026-01-31T12:00:00Z&limit=100&after="
                                + Cursors.of(age)))
                .isEqualTo(new Listing(
                        Filter.ALL
                                .in(Set.of(State.MOVING, State.PARKED))
                                .of("a/b c")
                                .beginningWith("/a")
                                .since(Instant.parse("2026-01-31T12:00:00Z")),
                        age,
                        100));
    }

    @ParameterizedTest
    @CsvSource({
        "limit=0, limit",
        "limit=101, limit",
        "limit=-1, limit",
        "limit=x, limit",
        "limit=, limit",
        "limit, limit",
        "limit=1&limit=2, limit",
        "state=, state",
        "state=held, state",
        "state=MOVING, state",
        "'state=moving,', state",
        "since=today, since",
        "since=2026-01-31, since",
        "since=1969-12-31T23:59:59Z, since",
        "since=%2B10000-01-01T00:00:00Z, since",
        "after=, after",
        "after=x, after",
        // 123:
        "after=MTIzOg, after",
        // x:r
        "after=eDpy, after",
        // -1:r
        "after=LTE6cg, after",
        // 1000000000000000:r
        "after=MTAwMDAwMDAwMDAwMDAwMDpy, after",
        // 1: and a line break
        "after=MToK, after",
        "namespace=%FF, namespace",
        "namespace=%4, namespace",
        "path=%FF, path",
        "%6Cimit=1, ",
        "other=1, ",
        "&, "
    })
    void refuses_a_wrong_query_and_names_the_parameter(String query, @Nullable String parameter) throws IOException {
        ProblemException problem = catchThrowableOfType(ProblemException.class, () -> Listing.of(query));

        assertThat(problem.answer().status()).isEqualTo(400);
        assertThat(Json.read(problem.answer().bytes()).path("field").textValue())
                .isEqualTo(parameter);
    }
}
