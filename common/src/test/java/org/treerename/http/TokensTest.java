package org.treerename.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {

    private static final String ONE = "one-0123456789abcdef";
    private static final String TWO = "two-0123456789abcdef";

    @TempDir
    private Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void file() {
        file = folder.resolve("tokens");
    }

    private Tokens tokens(String text) throws IOException {
        return Tokens.of(Files.writeString(file, text));
    }

    @Test
    void each_token_has_a_name() throws IOException {
        Tokens tokens = tokens("# ours\n\nnightly job:" + ONE + ":read\nnightly job:" + TWO + ":rename\n");

        assertThat(tokens.ownerOf(ONE).map(Caller::name)).contains("nightly job");
        assertThat(tokens.ownerOf(TWO).map(Caller::name)).contains("nightly job");
        assertThat(tokens.ownerOf(ONE + "x")).isEmpty();
        assertThat(tokens.ownerOf("")).isEmpty();
        assertThat(tokens.ownerOf("nightly job:" + ONE)).isEmpty();
    }

    @Test
    void refuses_the_name_of_the_callers_without_a_token() {
        assertThatThrownBy(() -> tokens("http:" + ONE + ":read"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another name than http")
                .hasMessageNotContaining(ONE);
    }

    @Test
    void uses_the_changes_of_the_file() throws IOException {
        Tokens tokens = tokens("me:" + ONE + ":read");

        Files.writeString(file, "you:" + TWO + ":read");
        tokens.poll();

        assertThat(tokens.ownerOf(ONE)).isEmpty();
        assertThat(tokens.ownerOf(TWO).map(Caller::name)).contains("you");
    }

    @Test
    void no_token_is_valid_while_the_file_is_not_valid() throws IOException {
        Tokens tokens = tokens("me:" + ONE + ":read");
        assertThat(tokens.problem()).isEmpty();

        for (String broken : List.of("", "# me:" + ONE + ":read", "me:" + ONE, "me:short:read")) {
            Files.writeString(file, broken);
            tokens.poll();
            assertThat(tokens.ownerOf(ONE)).as(broken).isEmpty();
            assertThat(tokens.problem()).as(broken).isPresent();

            Files.writeString(file, "me:" + ONE + ":read");
            tokens.poll();
            assertThat(tokens.ownerOf(ONE)).isPresent();
            assertThat(tokens.problem()).isEmpty();
        }

        Files.delete(file);
        tokens.poll();
        assertThat(tokens.ownerOf(ONE)).isEmpty();
        assertThat(tokens.problem())
                .hasValueSatisfying(problem -> assertThat(problem)
                        .startsWith("cannot read the tokens")
                        .endsWith("no token is valid until the file is valid"));
    }

    @Test
    void refuses_a_file_that_every_user_may_write() throws IOException {
        Tokens tokens = tokens("me:" + ONE + ":read");

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        tokens.poll();

        assertThat(tokens.ownerOf(ONE)).isEmpty();
        assertThatThrownBy(() -> Tokens.of(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("every user of this machine may write ");
    }

    @Test
    void a_token_has_only_the_rights_of_its_line() throws IOException {
        Tokens tokens = tokens("reader:" + ONE + ":read\nrenamer:" + TWO + ":read@logs,rename@files\n");

        Caller reader = tokens.ownerOf(ONE).orElseThrow();
        assertThat(reader.may(Right.READ)).isTrue();
        assertThat(reader.may(Right.READ, "files")).isTrue();
        assertThat(reader.may(Right.RENAME, "files")).isFalse();
        assertThat(reader.may(Right.OPERATE)).isFalse();

        Caller renamer = tokens.ownerOf(TWO).orElseThrow();
        assertThat(renamer.may(Right.READ)).isFalse();
        assertThat(renamer.may(Right.READ, "files")).isTrue();
        assertThat(renamer.may(Right.READ, "logs")).isTrue();
        assertThat(renamer.may(Right.READ, "other")).isFalse();
        assertThat(renamer.may(Right.RENAME, "files")).isTrue();
        assertThat(renamer.may(Right.RENAME, "logs")).isFalse();
        assertThat(renamer.may(Right.RENAME)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one-0123456789abcdef",
                "me:short:read",
                "me:one-0123456789abcdef",
                ":one-0123456789abcdef:read",
                "me:one 0123456789abcdef:read",
                "me:one-0123456789abcdef:read\nyou:one-0123456789abcdef:read",
                "me:one-0123456789abcdef:",
                "me:one-0123456789abcdef:admin",
                "me:one-0123456789abcdef:read,",
                "me:one-0123456789abcdef:read@",
                "me:one-0123456789abcdef:read:rename"
            })
    void reports_an_invalid_line_with_its_number_and_without_its_token(String text) {
        assertThatThrownBy(() -> tokens("\n" + text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line ")
                .hasMessageNotContaining("0123456789abcdef");
    }

    @Test
    void refuses_a_file_without_a_token() {
        assertThatThrownBy(() -> tokens("# no token\n"))
                .hasMessageContaining("expected at least one token, found none in");
        assertThatThrownBy(() -> Tokens.of(folder.resolve("none"))).hasMessageContaining("cannot read the tokens");
    }
}
