package org.treerename.host;

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
import org.treerename.definition.NamespaceFile;
import org.treerename.path.Namespace;
import org.treerename.path.Namespaces;
import org.treerename.path.TreeProblem;
import org.treerename.store.NoAnswerException;

/**
 * Puts the definitions of a file where every process finds them, when a process begins, and what is new in the file when the
 * file has changed. A definition that is there is not changed. One thread calls it at a time.
 */
final class Definitions {

    private static final Logger log = LoggerFactory.getLogger(Definitions.class);

    /** When a file was written, and how long it was. */
    private record Stamp(FileTime written, long size) {}

    private final Path file;
    private final Namespaces namespaces;
    private final Function<Namespace, List<TreeProblem>> check;
    private @Nullable Stamp seen;
    private List<Namespace> wanted = List.of();

    /** What keeps a namespace from being taken up, by its name; empty where nothing does. */
    private final Map<String, String> told = new HashMap<>();

    /**
     * @param check what keeps the renames of a namespace from being carried out
     */
    Definitions(Path file, Namespaces namespaces, Function<Namespace, List<TreeProblem>> check) {
        this.file = file;
        this.namespaces = namespaces;
        this.check = check;
    }

    /**
     * Takes all of them up; what may pass is told, and tried again.
     *
     * @throws IllegalArgumentException if one of them cannot be, with the reason and what mends it
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
                    .ifPresent(why -> log.warn("the namespace {} is not taken up yet: {}", namespace.name(), why));
            told.put(namespace.name(), words(problems).orElse(""));
        }
    }

    /** Takes up what is new in the file, if it has changed, and what could not be taken up until now. */
    void look() {
        Stamp now = stamp();
        if (now != null && !now.equals(seen)) {
            seen = now;
            read();
        }
        for (Namespace namespace : wanted) {
            if (!told.getOrDefault(namespace.name(), "new").isEmpty()) {
                tryAgain(namespace);
            }
        }
    }

    private void read() {
        try {
            List<Namespace> read = NamespaceFile.read(file);
            read.stream().filter(one -> !wanted.contains(one)).forEach(one -> told.remove(one.name()));
            wanted = read;
        } catch (IllegalArgumentException e) {
            log.error("the namespaces stay as they were: {}", e.getMessage());
        }
    }

    private void tryAgain(Namespace namespace) {
        try {
            Optional<String> refusal =
                    differing(namespace).or(() -> words(check.apply(namespace))).or(() -> define(namespace));
            String before = told.put(namespace.name(), refusal.orElse(""));
            if (refusal.isEmpty()) {
                log.info("took up the namespace {}", namespace.name());
            } else if (!refusal.get().equals(before)) {
                log.error("the namespace {} is not taken up: {}", namespace.name(), refusal.get());
            }
        } catch (NoAnswerException e) {
            log.debug("the namespace {} is tried again: {}", namespace.name(), e.getMessage());
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
                .map(
                        there -> "it is defined as " + there + ", not as " + namespace
                                + "; stop all workers and janitors, and change it with rename-admin namespaces define --replace");
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
            // somebody is about to put another one there
            return null;
        }
    }
}
