package org.treerename.producer.fake;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;
import org.treerename.rename.CommitCheck;
import org.treerename.rename.Completion;
import org.treerename.rename.Validation;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.runtime.Time;
import org.treerename.tree.Rename;

/**
 * Checks requests as a worker does, with {@link Validation} and {@link CommitCheck}. If a request passes the checks,
 * moves the documents at and below its source. Not thread-safe.
 */
final class Decisions {

    private static final String PROCESS = "in-memory";

    private final Map<String, Namespace> namespaces = new HashMap<>();
    private final Map<String, InMemoryTree> trees = new HashMap<>();
    private final Time time;

    Decisions(List<Namespace> namespaces, Time time) {
        this.time = time;
        for (Namespace namespace : namespaces) {
            this.namespaces.put(namespace.name(), namespace);
            trees.put(namespace.name(), new InMemoryTree(namespace));
        }
    }

    InMemoryTree tree(String namespace) {
        InMemoryTree tree = trees.get(namespace);
        if (tree == null) {
            throw new IllegalArgumentException("no namespace is called \"" + namespace
                    + "\"; create the client with the definition of this namespace");
        }
        return tree;
    }

    /**
     * Checks a request. If the request is not rejected, moves the documents at and below its source.
     *
     * @param hasEnded returns whether the request with the given id has ended
     */
    Outcome process(RenameRequest request, List<String> after, Predicate<String> hasEnded) {
        return switch (Validation.of(request, name -> Optional.ofNullable(namespaces.get(name)))) {
            case Validation.Invalid invalid -> rejected(request, invalid.reason(), invalid.message());
            case Validation.Hopeless hopeless -> throw new IllegalStateException(hopeless.message());
            case Validation.Valid valid -> {
                Optional<String> unknown =
                        after.stream().filter(hasEnded.negate()).findFirst();
                yield unknown.isPresent()
                        ? rejected(
                                request,
                                Reason.UNKNOWN_PREDECESSOR,
                                "depends on request " + unknown.get() + ", which has no journal entry")
                        : decide(request, valid.rename());
            }
        };
    }

    private Outcome decide(RenameRequest request, Rename rename) {
        InMemoryTree tree = tree(rename.namespace().name());
        return switch (CommitCheck.of(rename, tree.examine(rename))) {
            case CommitCheck.No no -> rejected(request, no.reason(), no.message());
            case CommitCheck.Go go -> {
                long moved = tree.apply(rename, go.removals());
                yield outcome(request, Status.COMPLETED, null, Completion.message(rename), moved);
            }
        };
    }

    private Outcome rejected(RenameRequest request, Reason reason, String message) {
        return outcome(request, Status.REJECTED, reason, message, 0);
    }

    private Outcome outcome(RenameRequest request, Status status, @Nullable Reason reason, String message, long moved) {
        Instant now = time.now();
        return new Outcome(
                request.requestId(),
                status,
                reason,
                message,
                moved,
                0,
                PROCESS,
                false,
                request.requestedBy(),
                now,
                status == Status.COMPLETED ? now : null,
                now,
                Outcome.Paths.of(request));
    }
}
