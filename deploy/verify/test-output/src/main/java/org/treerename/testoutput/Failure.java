package org.treerename.testoutput;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A readable description of one failed test.
 *
 * @param test the class, the method and the arguments; the arguments of a random test contain its seed
 * @param failure the exception; null if JUnit reported none
 * @param log the file with the output of the test class; the file exists only if the tests printed anything
 */
record Failure(String test, @Nullable Throwable failure, Path log) {

    private static final int LINES = 20;
    private static final int LINE_LENGTH = 400;
    private static final String OURS = "org.treerename.";

    /** Returns several lines: the test, the reason, the failed line of code, and the path of the log. */
    String text() {
        String reason = reason().collect(Collectors.joining("\n    "));
        return "FAILED " + test + "\n    " + reason
                + place().map(at -> "\n    at " + at).orElse("")
                + "\n    log: " + log;
    }

    /** Returns one line: the test, the first line of the reason, and the path of the log. */
    String line() {
        return test + ": " + reason().findFirst().orElse("") + " (" + log + ")";
    }

    private Stream<String> reason() {
        String message = Optional.ofNullable(failure).map(Throwable::toString).orElse("no reason given");
        return message.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .limit(LINES)
                .map(line -> line.length() > LINE_LENGTH ? line.substring(0, LINE_LENGTH) + " …" : line);
    }

    /** Returns the first line of the stack trace that is in the code of this project. */
    private Optional<String> place() {
        return Optional.ofNullable(failure).map(Throwable::getStackTrace).map(List::of).stream()
                .flatMap(List::stream)
                .filter(frame -> frame.getClassName().startsWith(OURS))
                .findFirst()
                .map(StackTraceElement::toString);
    }
}
