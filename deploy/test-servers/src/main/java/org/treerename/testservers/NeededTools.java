package org.treerename.testservers;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.platform.commons.support.AnnotationSupport;

/** Whether the tools that a test {@linkplain Needs needs} are there, or are to be done without. */
final class NeededTools implements ExecutionCondition {

    /** Where administrators' programs lie that are not on everybody's path. */
    private static final List<String> MORE = List.of("/usr/sbin", "/sbin");

    /** What did not run; told when all has. */
    private static final class NotRun implements AutoCloseable {
        private final Set<String> tests = new TreeSet<>();

        private synchronized void add(String test) {
            tests.add(test);
        }

        @Override
        public synchronized void close() {
            System.out.println("DID NOT RUN, for -Dwithout says so:");
            tests.forEach(test -> System.out.println("  " + test));
        }
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<Needs> needs = AnnotationSupport.findAnnotation(context.getElement(), Needs.class);
        if (needs.isEmpty()) {
            return ConditionEvaluationResult.enabled("it needs nothing");
        }
        return lacking(
                        context.getDisplayName(),
                        needs.get().value(),
                        Set.of(System.getProperty("without", "").split(",")))
                .map(what -> notRun(context, what))
                .orElseGet(() -> ConditionEvaluationResult.enabled("all is there"));
    }

    /**
     * What a test is to do without, in words; empty where it is to run.
     *
     * @throws IllegalStateException if something is missing that it is not to do without
     */
    static Optional<String> lacking(String test, String[] tools, Set<String> without) {
        for (String tool : tools) {
            String what = test + " needs " + tool;
            if (without.contains(tool)) {
                return Optional.of(what);
            }
            if (find(tool).isEmpty()) {
                throw new IllegalStateException(
                        what + ", which is not there: deploy/local/packages installs it, -Dwithout=" + tool
                                + " does without");
            }
        }
        return Optional.empty();
    }

    private static ConditionEvaluationResult notRun(ExtensionContext context, String what) {
        context.getRoot()
                .getStore(Namespace.create(NeededTools.class))
                .getOrComputeIfAbsent(NotRun.class, type -> new NotRun(), NotRun.class)
                .add(what);
        return ConditionEvaluationResult.disabled(what);
    }

    /** Where it lies. */
    static Optional<Path> find(String tool) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(Arrays.stream(path.split(File.pathSeparator)), MORE.stream())
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
