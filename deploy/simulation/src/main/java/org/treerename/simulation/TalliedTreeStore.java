package org.treerename.simulation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.treerename.path.Namespace;
import org.treerename.path.Path;
import org.treerename.rename.Document;
import org.treerename.rename.Facts;
import org.treerename.rename.Rename;
import org.treerename.rename.TreeStore;

/** A tree store whose refusals are counted. */
record TalliedTreeStore(TreeStore tree, Stage stage) implements TreeStore {

    private List<Written> tallied(List<Written> answers, Happening conflict) {
        for (Written answer : answers) {
            if (answer instanceof Written.Unknown unknown && unknown.why().startsWith("409")) {
                stage.happened(
                        conflict, stage.scheduler().current().actor().name(), () -> "meets a conflict: " + conflict);
            }
        }
        return answers;
    }

    @Override
    public Map<String, String> indices(Namespace namespace) {
        return tree.indices(namespace);
    }

    @Override
    public Facts examine(Rename rename) {
        return tree.examine(rename);
    }

    @Override
    public Scan scan(Namespace namespace, Path path, Reach reach) {
        return tree.scan(namespace, path, reach);
    }

    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        return tallied(tree.move(namespace, moves), Happening.CONFLICT_AT_MOVE);
    }

    @Override
    public Optional<Document> read(Namespace namespace, Document.Ref ref) {
        return tree.read(namespace, ref);
    }

    @Override
    public List<Written> remove(List<Document.Ref> refs) {
        return tallied(tree.remove(refs), Happening.CONFLICT_AT_REMOVAL);
    }
}
