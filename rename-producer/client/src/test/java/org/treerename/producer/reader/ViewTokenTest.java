package org.treerename.producer.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.path.Notation;
import org.treerename.producer.reader.CommittedRename.Replaced;
import org.treerename.store.Version;

final class ViewTokenTest {

    private static final Notation DOTS = new Notation(".", false, true);

    @Test
    void a_token_keeps_the_view_and_the_position() {
        CommittedRename rename = new CommittedRename(
                "r1",
                DOTS.path("a.\"b.c\""),
                DOTS.path("d"),
                List.of(new Replaced("i", "7 \uD83D\uDE00")),
                new Version(5, 2));
        ViewToken token = new ViewToken(
                new SavedView("terms", "", "point", true, List.of(rename)),
                new Position(2, List.of(new Position.At(0, "[\"a\",1]"), new Position.At(1, null)), "b\0", 1));

        String text = token.text();

        assertThat(text).matches("[A-Za-z0-9_-]+");
        assertThat(ViewToken.of(text, DOTS)).isEqualTo(token);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "!", "eJwrz0gtSlUoz0ktSgUAJZ4FQQ", "eJyrrgUAAXUA-Q"})
    void refuses_an_invalid_token(String text) {
        assertThatThrownBy(() -> ViewToken.of(text, DOTS)).isInstanceOf(IllegalArgumentException.class);
    }
}
