package org.treerename.rename;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import org.treerename.path.Namespace;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.path.VersionOwner;

/** What is wrong with a request in itself. Nothing but the namespace's definition is looked up. */
sealed interface Validation {

    record Valid(Rename rename) implements Validation {}

    record Invalid(Reason reason, String message) implements Validation {}

    /** Its work failed again and again: what is not decided is to fail, what is decided is to be parked. */
    record Hopeless(String message) implements Validation {}

    static Validation of(ParsedRequest asked, Function<String, Optional<Namespace>> namespaces) {
        return switch (asked) {
            case ParsedRequest.InvalidRequest invalid -> new Invalid(Reason.INVALID_REQUEST, invalid.problem());
            case ParsedRequest.RenameRequest request -> of(request, namespaces);
        };
    }

    private static Validation of(
            ParsedRequest.RenameRequest request, Function<String, Optional<Namespace>> namespaces) {
        Optional<Namespace> namespace =
                Namespace.isName(request.namespace()) ? namespaces.apply(request.namespace()) : Optional.empty();
        if (namespace.isEmpty()) {
            return new Invalid(
                    Reason.UNKNOWN_NAMESPACE, "no namespace is called \"" + shortened(request.namespace()) + "\"");
        }
        Optional<String> versionProblem = versionProblem(request, namespace.get());
        if (versionProblem.isPresent()) {
            return new Invalid(Reason.INVALID_REQUEST, versionProblem.get());
        }
        Notation notation = namespace.get().notation();
        Optional<String> problem = notation.problem(request.source())
                .map(p -> "source: " + p)
                .or(() -> notation.problem(request.destination()).map(p -> "destination: " + p));
        if (problem.isPresent()) {
            return new Invalid(Reason.INVALID_PATH, problem.get());
        }
        TreePath source = notation.path(request.source());
        TreePath destination = notation.path(request.destination());
        if (source.isRoot()) {
            return new Invalid(Reason.INVALID_PATH, "source: the root cannot be renamed");
        }
        return new Valid(new Rename(
                request.requestId(),
                namespace.get(),
                source,
                destination,
                request.onExisting(),
                request.version(),
                request.sourceId()));
    }

    private static Optional<String> versionProblem(ParsedRequest.RenameRequest request, Namespace namespace) {
        String field = namespace.rules().versionField();
        boolean isWanted = namespace.rules().version() != VersionOwner.SEQ_NO && field == null;
        if (isWanted == (request.version() != null)) {
            return Optional.empty();
        }
        if (isWanted) {
            return Optional.of("version is missing: that of documents in " + namespace.name()
                    + " belongs to another system, and the request says which one it writes");
        }
        return Optional.of("version must not be there: in " + namespace.name() + " "
                + (field == null
                        ? "Elasticsearch gives documents their versions"
                        : "each document says its own, in the field " + field));
    }

    /** Well-formed Unicode even where the text is not. */
    private static String shortened(String text) {
        String begin = text.length() <= 100 ? text : text.substring(0, 100) + "…";
        return new String(begin.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
