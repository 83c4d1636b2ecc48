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

/** A page of the documents, with its links and the anchors of its headings as GitHub makes them. */
record MarkdownPage(Path file, List<String> lines) {

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern ABSOLUTE = Pattern.compile("[a-z]+:.*");
    private static final Pattern HEADING = Pattern.compile("#{1,6} (.*)");
    private static final Set<String> WITHOUT_PAGES = Set.of("target", "run", ".git", "node_modules");

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

    /** Returns the files below a folder whose names end in {@code .md}, without what a build or a run has written. */
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

    /** Returns the links that lead to a file of this repository, as they are written. */
    List<String> links() {
        return LINK.matcher(String.join("\n", lines))
                .results()
                .map(found -> found.group(1))
                .filter(link -> !ABSOLUTE.matcher(link).matches())
                .toList();
    }

    /** Returns the file to which a link leads. */
    Path target(String link) {
        String path = link.replaceFirst("#.*", "");
        return path.isEmpty() ? file : file.resolveSibling(path).normalize();
    }

    /** Returns the links that lead nowhere. */
    Stream<String> problems() {
        return links().stream().flatMap(link -> problem(link).stream());
    }

    private Optional<String> problem(String link) {
        Path target = target(link);
        if (!Files.exists(target)) {
            return Optional.of(file + ": " + link + " leads to no file");
        }
        int anchor = link.indexOf('#');
        if (anchor < 0 || read(target).anchors().contains(link.substring(anchor + 1))) {
            return Optional.empty();
        }
        return Optional.of(file + ": " + link + " leads to no heading");
    }

    /** Returns the anchors of the headings. A repeated heading has a number behind its anchor. */
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
