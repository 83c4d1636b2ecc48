package org.treerename.testoutput;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One failed test as a person reads it.
 *
 * @param test class, method and arguments; a random test has its seed among them
 * @param failure null if JUnit gave none
 * @param log the file with what the tests of the class printed, if they printed anything
 */
record Failure(String test, @Nullable Throwable failure, Path log) {

    private static final int LINES = 20;
    private static final int LINE_LENGTH = 400;
    private static final String OURS = "org.treerename.";

    /** The test, its reason, the place and the log. */
    String text() {
        String reason = reason().collect(Collectors.joining("\n    "));
        return "FAILED " + test + "\n    " + reason
                + place().map(at -> "\n    at " + at).orElse("")
                + "\n    log: " + log;
    }

    /** The test and the first line of its reason. */
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

    /** The line of the project's code that was nearest to the failure. */
    private Optional<String> place() {
        return Optional.ofNullable(failure).map(Throwable::getStackTrace).map(List::of).stream()
                .flatMap(List::stream)
                .filter(frame -> frame.getClassName().startsWith(OURS))
                .findFirst()
                .map(StackTraceElement::toString);
    }
}
