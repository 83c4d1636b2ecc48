package org.treerename.rename;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import org.treerename.path.Namespace;
import org.treerename.path.Notation;
import org.treerename.path.Path;

/** What is wrong with a request in itself. Nothing but the namespace's definition is looked up. */
sealed interface Validation {

    record Valid(Rename rename) implements Validation {}

    record Invalid(Reason reason, String message) implements Validation {}

    /** Its work failed again and again: what is not decided is to fail, what is decided is to be parked. */
    record Hopeless(String message) implements Validation {}

    static Validation of(Asked asked, Function<String, Optional<Namespace>> namespaces) {
        return switch (asked) {
            case Asked.InvalidRequest invalid -> new Invalid(Reason.INVALID_REQUEST, invalid.problem());
            case Asked.RenameRequest request -> of(request, namespaces);
        };
    }

    private static Validation of(Asked.RenameRequest request, Function<String, Optional<Namespace>> namespaces) {
        Optional<Namespace> namespace =
                Namespace.isName(request.namespace()) ? namespaces.apply(request.namespace()) : Optional.empty();
        if (namespace.isEmpty()) {
            return new Invalid(
                    Reason.UNKNOWN_NAMESPACE, "no namespace is called \"" + shortened(request.namespace()) + "\"");
        }
        Notation notation = namespace.get().notation();
        Optional<String> problem = notation.problem(request.source())
                .map(p -> "source: " + p)
                .or(() -> notation.problem(request.destination()).map(p -> "destination: " + p));
        if (problem.isPresent()) {
            return new Invalid(Reason.INVALID_PATH, problem.get());
        }
        Path source = notation.path(request.source());
        Path destination = notation.path(request.destination());
        if (source.isRoot()) {
            return new Invalid(Reason.INVALID_PATH, "source: the root cannot be renamed");
        }
        return new Valid(new Rename(request.requestId(), namespace.get(), source, destination, request.onExisting()));
    }

    /** Well-formed Unicode even where the text is not. */
    private static String shortened(String text) {
        String begin = text.length() <= 100 ? text : text.substring(0, 100) + "…";
        return new String(begin.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
