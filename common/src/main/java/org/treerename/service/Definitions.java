package org.treerename.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.NamespaceFile;
import org.treerename.namespace.Namespaces;
import org.treerename.namespace.TreeProblem;
import org.treerename.store.NoAnswerException;

/**
 * Copies definitions from a file of namespaces to the control index. Stores all definitions when a process starts, and
 * new definitions when the file has changed. Never changes a stored definition. Only one thread calls this class at a
 * time.
 */
final class Definitions {

    private static final Logger log = LoggerFactory.getLogger(Definitions.class);

    /** The size of a file, and the time of its last change. */
    private record Stamp(FileTime written, long size) {}

    private final Path file;
    private final Namespaces namespaces;
    private final Function<Namespace, List<TreeProblem>> check;
    private @Nullable Stamp seen;
    private List<Namespace> wanted = List.of();

    /** Why each namespace is not stored, by its name; an empty text if it is stored. */
    private final Map<String, String> reasons = new HashMap<>();

    /**
     * @param check a function that returns the problems that prevent renames in a namespace
     */
    Definitions(Path file, Namespaces namespaces, Function<Namespace, List<TreeProblem>> check) {
        this.file = file;
        this.namespaces = namespaces;
        this.check = check;
    }

    /**
     * Stores all definitions of the file. If all problems of a namespace {@linkplain TreeProblem#mayPass may
     * disappear}, this method logs the problems, and {@link #poll} tries to store the definition again.
     *
     * @throws IllegalArgumentException if a definition cannot be stored for any other reason; the message contains the
     *     reason and the correction
     */
    void begin() {
        seen = stamp();
        wanted = NamespaceFile.read(file);
        for (Namespace namespace : wanted) {
            List<TreeProblem> problems = check.apply(namespace);
            boolean mayPass = problems.stream().allMatch(TreeProblem::mayPass);
            Optional<String> refusal = differing(namespace)
                    .or(() -> mayPass ? Optional.empty() : words(problems))
                    .or(() -> problems.isEmpty() ? define(namespace) : Optional.empty());
            refusal.ifPresent(why -> {
                throw new IllegalArgumentException(file + ": the namespace " + namespace.name() + ": " + why);
            });
            words(problems)
                    .ifPresent(why ->
                            log.warn("namespace {} is not defined yet: {}; trying again", namespace.name(), why));
            reasons.put(namespace.name(), words(problems).orElse(""));
        }
    }

    /** Reads the file if it has changed. Stores new definitions, and definitions that could not be stored before. */
    void poll() {
        Stamp now = stamp();
        if (now != null && !now.equals(seen)) {
            seen = now;
            read();
        }
        for (Namespace namespace : wanted) {
            if (!reasons.getOrDefault(namespace.name(), "new").isEmpty()) {
                tryAgain(namespace);
            }
        }
    }

    private void read() {
        try {
            List<Namespace> read = NamespaceFile.read(file);
            read.stream().filter(one -> !wanted.contains(one)).forEach(one -> reasons.remove(one.name()));
            wanted = read;
        } catch (IllegalArgumentException e) {
            log.error(
                    "the changed file of namespaces is invalid: {}; the file is ignored until it changes again",
                    e.getMessage());
        }
    }

    private void tryAgain(Namespace namespace) {
        try {
            Optional<String> refusal =
                    differing(namespace).or(() -> words(check.apply(namespace))).or(() -> define(namespace));
            String before = reasons.put(namespace.name(), refusal.orElse(""));
            if (refusal.isEmpty()) {
                log.info("namespace {} is defined", namespace.name());
            } else if (!refusal.get().equals(before)) {
                log.error("cannot define namespace {}: {}; trying again", namespace.name(), refusal.get());
            }
        } catch (NoAnswerException e) {
            log.debug(
                    "Elasticsearch did not answer a request to define namespace {} ({}); trying again",
                    namespace.name(),
                    e.getMessage());
        }
    }

    private Optional<String> define(Namespace namespace) {
        try {
            namespaces.define(namespace);
            return Optional.empty();
        } catch (IllegalStateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private Optional<String> differing(Namespace namespace) {
        return namespaces
                .find(namespace.name())
                .filter(there -> !there.equals(namespace))
                .map(there -> "it is defined as " + there + ", not as " + namespace
                        + "; stop all workers and janitors, and change the definition with rename-admin"
                        + " namespaces define --replace");
    }

    private static Optional<String> words(List<TreeProblem> problems) {
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of(problems.stream().map(TreeProblem::toString).collect(Collectors.joining("; and ")));
    }

    private @Nullable Stamp stamp() {
        try {
            return new Stamp(Files.getLastModifiedTime(file), Files.size(file));
        } catch (IOException e) {
            // the file is missing, for example while another program replaces it
            return null;
        }
    }
}
