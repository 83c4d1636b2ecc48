package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.path.TreePath;

class WalkTest {

    private static final TreePath AT = new TreePath("/at");

    @TempDir
    private java.nio.file.Path folder = java.nio.file.Path.of("");

    private final List<String> reported = new ArrayList<>();

    @BeforeEach
    void fill() throws IOException {
        Files.createDirectories(folder.resolve("d/e"));
        Files.writeString(folder.resolve("d/e/f"), "text");
        Files.writeString(folder.resolve("g"), "text");
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("d"));
    }

    private Tally walk(TreePath at, long limit) {
        return Walk.over(folder, at, limit, found -> reported.add(found.at().text()));
    }

    @Test
    void reports_every_file_and_directory_except_the_folder_itself_and_counts_links() {
        Tally tally = walk(AT, 100);

        assertThat(reported).containsExactlyInAnyOrder("/at/d", "/at/d/e", "/at/d/e/f", "/at/g");
        assertThat(reported.indexOf("/at/d")).isLessThan(reported.indexOf("/at/d/e"));
        assertThat(tally.directories).isEqualTo(2);
        assertThat(tally.files).isEqualTo(2);
        assertThat(tally.leftOut()).containsExactly("symbolic links: 1");
    }

    @Test
    void paths_below_the_root_begin_with_one_separator() {
        walk(TreePath.ROOT, 100);

        assertThat(reported).contains("/d", "/d/e/f");
    }

    @Test
    void stops_at_the_limit_and_mentions_it_in_the_tally() {
        Tally tally = walk(AT, 2);

        assertThat(reported).hasSize(2);
        assertThat(tally.leftOut()).contains("all entries after the first 2");
    }

    @Test
    void counts_and_skips_a_path_that_would_be_too_long_with_everything_below_it() {
        TreePath deep = new TreePath("/" + "x".repeat(TreePath.MAX_CODE_POINTS - 3));

        Tally tally = walk(deep, 100);

        // the limit allows two more code points: /d and /g fit, but /d/e does not
        assertThat(reported)
                .allMatch(path -> path.endsWith("/d") || path.endsWith("/g"))
                .hasSize(2);
        assertThat(tally.unnameable).isEqualTo(1);
    }

    @Test
    void counts_and_skips_a_special_file() throws Exception {
        new ProcessBuilder("mkfifo", folder.resolve("pipe").toString()).start().waitFor();
        assertThat(Files.exists(folder.resolve("pipe"), LinkOption.NOFOLLOW_LINKS))
                .isTrue();

        assertThat(walk(AT, 100).special).isEqualTo(1);
    }

    @Test
    void counts_and_skips_a_name_that_is_not_valid_utf_8() throws Exception {
        new ProcessBuilder("sh", "-c", "touch \"$0/$(printf 'bad\\377')\"", folder.toString())
                .start()
                .waitFor();

        Tally tally = walk(AT, 100);

        assertThat(reported).hasSize(4);
        assertThat(tally.unnameable).isEqualTo(1);
    }
}
