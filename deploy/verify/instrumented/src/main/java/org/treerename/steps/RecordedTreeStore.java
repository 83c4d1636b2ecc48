package org.treerename.steps;

import java.util.List;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.steps.Step.Answer;
import org.treerename.tree.Document;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

/** Records every page that a pass finds, the end of every pass, and every move of documents. */
record RecordedTreeStore(TreeStore tree, Steps steps) implements ForwardingTreeStore {

    @Override
    public Scan scan(Namespace namespace, TreePath path, Reach reach) {
        return recorded(tree.scan(namespace, path, reach), reach);
    }

    @Override
    public Scan open(Rename rename, TreeSnapshot snapshot) {
        return recorded(tree.open(rename, snapshot), Reach.AT_OR_BELOW);
    }

    private Scan recorded(Scan scan, Reach reach) {
        return new Scan() {
            private long found;

            @Override
            public List<Document> nextPage() {
                List<Document> page = scan.nextPage();
                found += page.size();
                steps.took(
                        page.isEmpty()
                                ? Step.of("pass", "", Answer.WRITTEN).of(reach.name(), found)
                                : Step.of("page", "", Answer.WRITTEN).of(reach.name(), page.size()));
                return page;
            }

            @Override
            public void close() {
                scan.close();
            }
        };
    }

    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        return steps.report(
                Steps.unanswered("move", ""),
                () -> tree.move(namespace, moves),
                written -> Step.of("move", "", Answer.WRITTEN)
                        .of(
                                "",
                                written.stream()
                                        .filter(Written.Done.class::isInstance)
                                        .count()));
    }
}
