package org.treerename.rename;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.request.ParsedRequest;
import org.treerename.request.Reason;
import org.treerename.tree.Rename;

/** The result of checking a request against the definition of its namespace, without a read of the tree. */
public sealed interface Validation {

    record Valid(Rename rename) implements Validation {}

    record Invalid(Reason reason, String message) implements Validation {}

    /** All tries to process the request failed. An undecided request must fail; a decided request must be parked. */
    record Hopeless(String message) implements Validation {}

    static Validation of(ParsedRequest parsed, Function<String, Optional<Namespace>> namespaces) {
        return switch (parsed) {
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
        boolean isRequired = namespace.rules().version() != VersionOwner.SEQ_NO && field == null;
        if (isRequired == (request.version() != null)) {
            return Optional.empty();
        }
        if (isRequired) {
            return Optional.of("version is missing: another system assigns the versions of documents in" + " namespace "
                    + namespace.name() + ", so the request must contain the version to write");
        }
        return Optional.of("version must be absent: in namespace " + namespace.name() + ", "
                + (field == null
                        ? "Elasticsearch assigns the versions of documents"
                        : "each document contains its own version in the field " + field));
    }

    /** Returns the beginning of a text as well-formed Unicode, even if the text is not well-formed. */
    private static String shortened(String text) {
        String begin = text.length() <= 100 ? text : text.substring(0, 100) + "…";
        return new String(begin.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
