package org.treerename.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Markdown page of the project, with its links and the anchors that GitHub gives its headings. */
record MarkdownPage(Path file, List<String> lines) {

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern ABSOLUTE = Pattern.compile("[a-z]+:.*");
    private static final Pattern HEADING = Pattern.compile("#{1,6} (.*)");
    private static final Set<String> WITHOUT_PAGES = Set.of("target", "output", ".git", "node_modules");

    /** Reads the page without its blocks of code. */
    static MarkdownPage read(Path file) {
        try {
            List<String> lines = new ArrayList<>();
            boolean isCode = false;
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith("```")) {
                    isCode = !isCode;
                } else if (!isCode) {
                    lines.add(line);
                }
            }
            return new MarkdownPage(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the Markdown files below a folder, except files that a build or a run has written. */
    static List<Path> filesBelow(Path root) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> entries = Files.list(root)) {
            for (Path entry : entries.sorted().toList()) {
                String name = entry.getFileName().toString();
                if (Files.isDirectory(entry) && !WITHOUT_PAGES.contains(name)) {
                    found.addAll(filesBelow(entry));
                } else if (name.endsWith(".md")) {
                    found.add(entry);
                }
            }
        }
        return found;
    }

    /** Returns the relative links exactly as the page contains them. */
    List<String> links() {
        return LINK.matcher(String.join("\n", lines))
                .results()
                .map(found -> found.group(1))
                .filter(link -> !ABSOLUTE.matcher(link).matches())
                .toList();
    }

    /** Returns the file that a link points to. */
    Path target(String link) {
        String path = link.replaceFirst("#.*", "");
        return path.isEmpty() ? file : file.resolveSibling(path).normalize();
    }

    /** Returns a message for each broken link. */
    Stream<String> problems() {
        return links().stream().flatMap(link -> problem(link).stream());
    }

    private Optional<String> problem(String link) {
        Path target = target(link);
        if (!Files.exists(target)) {
            return Optional.of(file + ": " + link + " points to a file that does not exist");
        }
        int anchor = link.indexOf('#');
        if (anchor < 0 || read(target).anchors().contains(link.substring(anchor + 1))) {
            return Optional.empty();
        }
        return Optional.of(file + ": " + link + " points to a heading that does not exist");
    }

    /** Returns the anchors of the headings. The anchor of a repeated heading ends with a number. */
    Set<String> anchors() {
        Map<String, Integer> seen = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        for (String line : lines) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String anchor = anchor(heading.group(1));
                int before = seen.merge(anchor, 1, Integer::sum) - 1;
                anchors.add(before == 0 ? anchor : anchor + "-" + before);
            }
        }
        return anchors;
    }

    private static String anchor(String heading) {
        return heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
                .replace(' ', '-');
    }
}
