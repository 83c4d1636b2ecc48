package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PageKeysTest {

    private static final String OLD = "0".repeat(64);
    private static final String NEW = "1".repeat(64);

    @TempDir
    private Path folder = Path.of("");

    private PageKeys keys(String... lines) throws IOException {
        return PageKeys.of(Files.write(folder.resolve("keys"), List.of(lines)));
    }

    @Test
    void gateways_with_the_same_key_accept_a_token_of_each_other() throws IOException {
        String signed = keys(OLD).signed("token");

        assertThat(signed).matches("token\\.[A-Za-z0-9_-]{43}");
        assertThat(keys(OLD, "").verified(signed)).contains("token");
        assertThat(keys(NEW).verified(signed)).isEmpty();
        assertThat(PageKeys.random().verified(signed)).isEmpty();
        assertThat(PageKeys.random().verified(PageKeys.random().signed("token")))
                .isEmpty();
    }

    @Test
    void the_first_key_signs_and_the_previous_key_is_accepted() throws IOException {
        PageKeys rotated = keys(NEW, OLD);

        assertThat(rotated.verified(keys(OLD).signed("token"))).contains("token");
        assertThat(rotated.signed("token")).isEqualTo(keys(NEW).signed("token"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "token", "token.", "token.!", "token.AAAA", "other.%s", "token.%s.", "%s", "token.%sA"})
    void refuses_a_changed_token(String changed) {
        PageKeys keys = PageKeys.random();
        String signature = keys.signed("token").substring("token.".length());

        assertThat(keys.verified(changed.formatted(signature))).isEmpty();
    }

    @Test
    void refuses_a_file_that_every_user_may_write() throws IOException {
        Path file = Files.writeString(folder.resolve("keys"), OLD);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--rw-"));

        assertThatThrownBy(() -> PageKeys.of(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("every user of this machine may write");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "short", "00000000000000000000000000000000\nshort"})
    void refuses_a_file_without_a_long_key_in_each_line(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("keys"), text);

        assertThatThrownBy(() -> PageKeys.of(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected one key of at least 32 characters")
                .hasMessageNotContaining("0000");
        assertThatThrownBy(() -> PageKeys.of(folder.resolve("missing")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("missing");
    }
}
