package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests the links and the index of the Markdown documents. */
final class DocumentsTest {

    private static final Path ROOT = ScriptFolder.repository();
    private static final Path README = ROOT.resolve("README.md");
    private static final Path INDEX = ROOT.resolve("deploy/docs/README.md");

    /** The index does not list this template, because it lists the page that is generated from the template. */
    private static final Path TEMPLATE = ROOT.resolve("deploy/measure/docs/findings-template.md");

    @Test
    void every_relative_link_points_to_an_existing_file_and_heading() throws IOException {
        List<Path> files = MarkdownPage.filesBelow(ROOT);

        assertThat(files).contains(README, INDEX);
        assertThat(files.stream().map(MarkdownPage::read).flatMap(MarkdownPage::problems))
                .isEmpty();
    }

    @Test
    void the_index_lists_every_page() throws IOException {
        MarkdownPage index = MarkdownPage.read(INDEX);
        List<Path> pages = MarkdownPage.filesBelow(ROOT).stream()
                .filter(page -> !page.equals(INDEX) && !page.equals(TEMPLATE))
                .toList();

        assertThat(index.links().stream().map(index::target).collect(Collectors.toSet()))
                .containsAll(pages);
    }

    @Test
    void the_readme_is_short() throws IOException {
        assertThat(Files.readAllLines(README)).hasSizeLessThanOrEqualTo(180);
    }
}
