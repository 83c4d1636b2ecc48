package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.NamespaceFile;

/** Sends many concurrent renames of random directories in one namespace. */
final class Throng {

    private static final int DIRECTORIES = 30;
    private static final int DEEPEST = 4;
    private static final int RENAMES = 20;

    private final Log log;
    private final Random random;
    private final Path file;
    private final Namespace namespace;
    private final UnaryOperator<String> segment;
    private final List<org.treerename.path.TreePath> directories = new ArrayList<>();

    /**
     * @param file the file that defines the namespace
     * @param segment converts a name to a path segment of this namespace
     */
    Throng(Log log, Random random, Path file, UnaryOperator<String> segment) {
        this.log = log;
        this.random = random;
        this.file = file;
        this.namespace = NamespaceFile.read(file).getFirst();
        this.segment = segment;
        for (String top : List.of("a", "A", "b-c", "d")) {
            directories.add(top(top));
        }
        while (directories.size() < DIRECTORIES) {
            org.treerename.path.TreePath parent = any();
            if (parent.segments().size() < DEEPEST) {
                directories.add(parent.child(segment.apply("n-" + directories.size())));
            }
        }
    }

    private org.treerename.path.TreePath top(String name) {
        return namespace.notation().root().child(segment.apply(name));
    }

    Namespace namespace() {
        return namespace;
    }

    /** Returns the paths of the directories before the first rename. */
    List<org.treerename.path.TreePath> directories() {
        return List.copyOf(directories);
    }

    /** Returns a random current or former path of a directory. */
    org.treerename.path.TreePath any() {
        return directories.get(random.nextInt(directories.size()));
    }

    private ObjectNode send(org.treerename.path.TreePath source, org.treerename.path.TreePath destination) {
        ObjectNode request = Requests.rename(namespace.name(), source.text(), destination.text());
        log.send(random.nextInt(8), request.toString());
        return request;
    }

    /**
     * Kills a worker during a first rename, and then runs many renames on two other workers. Checks:
     * <ul>
     * <li>The first rename completes.
     * <li>Each other rename completes or is rejected.
     * <li>{@link ChangeCheck} finds no violation.
     * </ul>
     */
    void passAfter(CrashCase death) {
        ChangeCheck changeCheck = ChangeCheck.of(namespace);
        Group group = Group.atTheEndOfTheLog();
        List<String> options = List.of(group.option(), "--lease=2s", "--page-size=20", "--namespaces=" + file);
        List<String> dying = new ArrayList<>(options);
        dying.add("--crash-at=" + death);
        org.treerename.path.TreePath destination = top("moved-first");
        ObjectNode first;
        try (Workers workers = Workers.instrumented(1, dying.toArray(String[]::new))) {
            first = send(directories.getFirst(), destination);
            assertThat(workers.processes().getFirst().waitFor(Log.PATIENCE)).isEqualTo(CrashCase.KILLED);
        }
        try (Workers workers = Workers.start(2, options.toArray(String[]::new))) {
            JsonNode outcome = log.outcome(Requests.id(first));
            assertThat(outcome.path("status").asText()).isEqualTo("completed");
            assertThat(outcome.path("rolled_forward").asBoolean()).isEqualTo(death.isOfMoving());
            directories.add(destination);
            List<ObjectNode> requests = new ArrayList<>();
            for (int i = 0; i < RENAMES; i++) {
                requests.add(send(any(), any().child(segment.apply("moved-" + i))));
            }
            Set<String> statuses = new TreeSet<>();
            requests.forEach(request -> statuses.add(
                    log.outcome(Requests.id(request)).path("status").asText()));
            assertThat(statuses).as("%s", workers.ids()).containsExactly("completed", "rejected");
            changeCheck.assertGood(1);
        }
    }
}
