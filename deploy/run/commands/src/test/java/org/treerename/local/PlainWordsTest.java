package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that documents, comments and messages avoid the words that readers do not understand at the first reading. */
final class PlainWordsTest {

    private static final Path ROOT = ScriptFolder.repository();

    /** The words to avoid, each with its replacement. */
    private static final Map<Pattern, String> WORDS = words();

    /** Matches a text block, a string, a character or a comment. The rest of a Java file is code. */
    private static final Pattern TEXT_IN_JAVA = Pattern.compile(
            "\"\"\"(?<block>(?:\\\\.|[^\\\\\"]|\"(?!\"\"))*+)\"\"\"|\"(?<string>(?:\\\\.|[^\"\\\\\\n])*+)\""
                    + "|'(?:\\\\.|[^'\\\\\\n])+'|(?<comment>//[^\\n]*|/\\*.*?\\*/)",
            Pattern.DOTALL);

    private static final Pattern CODE_IN_TEXT = Pattern.compile("\\{@(?:code|link|linkplain|value)[^}]*}|`[^`\\n]*`");

    private static Map<Pattern, String> words() {
        Map<Pattern, String> words = new LinkedHashMap<>();
        add(words, "name the process or the person", "somebody|nobody|anybody|whoever");
        add(words, "write report, log, return or name", "tell|tells|telling|told");
        add(words, "write is, exists or is at", "stands|stood");
        add(words, "write ends", "comes? to an end|came to an end");
        add(words, "write releases or commits", "lets? go|letting go");
        add(words, "write also or as well", "likewise");
        add(words, "write then or therefore", "thereupon|whereupon|thereby|hence");
        add(words, "write except", "but for");
        add(words, "write whether", "be it");
        add(words, "write as before", "as ever");
        add(words, "write what it does", "the same, but");
        add(words, "write treat as", "takes? for dead|taken for dead");
        return words;
    }

    private static void add(Map<Pattern, String> words, String instead, String pattern) {
        words.put(Pattern.compile("(?<![\\w{-])(?:" + pattern + ")(?![\\w-])", Pattern.CASE_INSENSITIVE), instead);
    }

    @Test
    void documents_use_plain_words() throws IOException {
        List<Path> pages = MarkdownPage.filesBelow(ROOT);

        assertThat(pages).hasSizeGreaterThan(20);
        assertThat(pages.stream().flatMap(page -> problems(page, read(page)))).isEmpty();
    }

    @Test
    void comments_and_messages_use_plain_words() throws IOException {
        List<Path> files = javaFiles("src/main");

        assertThat(files).hasSizeGreaterThan(500);
        assertThat(files.stream().flatMap(file -> problems(file, texts(read(file), true))))
                .isEmpty();
    }

    @Test
    void comments_of_tests_use_plain_words() throws IOException {
        List<Path> files = javaFiles("src/test");

        assertThat(files).hasSizeGreaterThan(300);
        assertThat(files.stream().flatMap(file -> problems(file, texts(read(file), false))))
                .isEmpty();
    }

    @Test
    void finds_such_a_word_in_a_comment_in_a_string_and_in_a_document() {
        String java =
                "/** Comes to an end. */ class Told { String s = \"nobody\"; char c = '\"'; // it stands there\n }";

        assertThat(problems(ROOT, texts(java, true)))
                .hasSize(3)
                .allMatch(problem -> problem.contains(": write ") || problem.contains(": name "));
        assertThat(problems(ROOT, texts(java, false))).hasSize(2);
        assertThat(problems(ROOT, "It is told by `told`, or so {@code nobody} says."))
                .hasSize(1);
    }

    /** Returns the Java files below a folder of each module, without this file. */
    private static List<Path> javaFiles(String folder) throws IOException {
        Path own = ROOT.resolve("deploy/run/commands/src/test/java/org/treerename/local/PlainWordsTest.java");
        return JavaSources.filesBelow(ROOT, folder).stream()
                .filter(file -> !file.equals(own))
                .toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the comments of a Java file and, if requested, its strings. */
    private static String texts(String java, boolean withStrings) {
        List<String> texts = new ArrayList<>();
        Matcher text = TEXT_IN_JAVA.matcher(java);
        while (text.find()) {
            Stream.of(
                            text.group("comment"),
                            withStrings ? text.group("string") : null,
                            withStrings ? text.group("block") : null)
                    .filter(found -> found != null)
                    .forEach(texts::add);
        }
        return String.join("\n", texts);
    }

    private static Stream<String> problems(Path file, String text) {
        String prose = CODE_IN_TEXT.matcher(text).replaceAll("").lines().collect(Collectors.joining(" "));
        return WORDS.entrySet().stream()
                .flatMap(word -> word.getKey()
                        .matcher(prose)
                        .results()
                        .map(found -> ROOT.relativize(file) + ", \"" + found.group()
                                + "\" in \""
                                + prose.substring(
                                        Math.max(0, found.start() - 40), Math.min(prose.length(), found.end() + 40))
                                + "\": " + word.getValue()));
    }
}
