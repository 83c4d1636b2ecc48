package org.treerename.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ReasonTest {

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(completed|rejected|failed|abandoned)` \\| `(\\w+)` \\| \\S");

    private static final List<MatchResult> ROWS = rows();

    private static List<MatchResult> rows() {
        try {
            String page = Files.readString(Path.of("..", "rename-producer", "docs", "requests.md"));
            return ROW.matcher(page).results().toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void the_page_about_requests_lists_exactly_the_reasons() {
        assertThat(ROWS.stream().map(row -> row.group(2)).distinct())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Reason.values())
                        .filter(reason -> reason != Reason.OTHER)
                        .map(Reason::published)
                        .toList());
    }

    @Test
    void the_page_lists_the_reasons_of_a_rejection_in_the_order_of_reports() {
        assertThat(ROWS.stream()
                        .filter(row -> row.group(1).equals("rejected"))
                        .map(row -> Reason.ofPublished(row.group(2))))
                .isSorted();
    }
}
