package org.treerename.producer.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
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

    /** Returns a token with these positions of regions. */
    private static String token(String positions) {
        String json =
                "{\"n\":\"terms\",\"p\":\"\",\"t\":\"point\",\"c\":true,\"u\":1,\"f\":null,\"h\":0,\"r\":[],\"o\":["
                        + positions + "]}";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflated = new DeflaterOutputStream(bytes)) {
            deflated.write(json.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
    }

    @Test
    void refuses_a_repeated_or_unknown_region() {
        String one = "{\"r\":0,\"a\":null}";
        String many = token(String.join(",", Collections.nCopies(20_000, one)));

        assertThat(ViewToken.of(token(one), DOTS).next().open()).hasSize(1);
        assertThat(many).hasSizeLessThan(2_000);
        for (String wrong : List.of(many, token("{\"r\":1,\"a\":null}"), token("{\"r\":-1,\"a\":null}"))) {
            assertThatThrownBy(() -> ViewToken.of(wrong, DOTS))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected each region at most once");
        }
    }
}
