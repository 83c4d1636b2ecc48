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

    /** Returns the test, the reason, the place and the log. */
    String text() {
        String reason = reason().collect(Collectors.joining("\n    "));
        return "FAILED " + test + "\n    " + reason
                + place().map(at -> "\n    at " + at).orElse("")
                + "\n    log: " + log;
    }

    /** Returns the test and the first line of the reason. */
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

    /** Returns the line of the project's code that is nearest to the failure in the stack trace. */
    private Optional<String> place() {
        return Optional.ofNullable(failure).map(Throwable::getStackTrace).map(List::of).stream()
                .flatMap(List::stream)
                .filter(frame -> frame.getClassName().startsWith(OURS))
                .findFirst()
                .map(StackTraceElement::toString);
    }
}
