package org.treerename.janitor.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.janitor.console.Question.Renames.Phase;
import org.treerename.lock.LockPriority;
import org.treerename.overview.Cursors;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.LockSearch;
import org.treerename.request.Status;

final class QueryTest {

    @Test
    void parses_the_parameters_of_each_question() {
        String place = Cursors.of(new LockPriority(17, "r:1"));

        assertThat(Query.of("now", "")).isEqualTo(new Question.Now());
        assertThat(Query.of("renames", "phase=moving&namespace=files&after=" + place))
                .isEqualTo(new Question.Renames(Phase.MOVING, "files", new LockPriority(17, "r:1")));
        assertThat(Query.of("renames", "phase=&namespace=")).isEqualTo(new Question.Renames(Phase.ALL, null, null));
        assertThat(Query.of(
                        "locks",
                        "namespace=files&path=%2Fa+b%2526&after=" + Cursors.of(new LockSearch.At("files", "/:"))))
                .isEqualTo(new Question.Locks("files", "/a b%26", new LockSearch.At("files", "/:")));
        assertThat(Query.of("outcomes", "status=failed&text=%C3%A4%0A&namespace=files"))
                .isEqualTo(new Question.Outcomes(
                        Filter.ALL
                                .in(Question.Outcomes.ENDED)
                                .of("files")
                                .endedAs(Status.FAILED)
                                .with("\u00e4\n"),
                        null));
        assertThat(Query.of("request", "id=%3Ca+b%3E%26")).isEqualTo(new Question.Request("<a b>&"));
        assertThat(Query.of("activity", "")).isEqualTo(new Question.Activity());
        assertThat(Query.of("take-overs", "")).isEqualTo(new Question.TakeOvers());
        assertThat(Query.of("dead-letters", "")).isEqualTo(new Question.DeadLetters());
    }

    @ParameterizedTest
    @CsvSource({
        "now, x=1",
        "activity, x=1",
        "renames, phase=running",
        "renames, phase=moving&phase=parked",
        "renames, namespace=%2E%2E/x",
        "renames, after=x",
        "renames, after=%",
        "renames, after=eDp4",
        "request, ''",
        "request, id=",
        "request, id=a&id=b",
        "request, name=a",
        "locks, path=/a",
        "locks, after=eA",
        "outcomes, status=well",
        "outcomes, size=10",
        "renames, namespace=%zz"
    })
    void refuses_invalid_parameters(String name, String query) {
        assertThatThrownBy(() -> Query.of(name, query)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {501, 5_000})
    void refuses_a_search_text_or_an_id_that_is_too_long(int length) {
        assertThatThrownBy(() -> Query.of("request", "id=" + "x".repeat(length)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Query.of("outcomes", "text=" + "x".repeat(length)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
