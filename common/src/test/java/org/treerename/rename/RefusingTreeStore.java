package org.treerename.rename;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.treerename.path.Namespace;
import org.treerename.path.Path;

/** A tree store that will never take the moves of some documents, as Elasticsearch answers 400 to them. */
public record RefusingTreeStore(TreeStore tree, Predicate<Move> refused) implements TreeStore {

    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        List<Written> answers = new ArrayList<>();
        for (Move move : moves) {
            answers.add(
                    refused.test(move)
                            ? new Written.Refused("400 document_parsing_exception")
                            : tree.move(namespace, List.of(move)).getFirst());
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
    public Optional<Document> read(Namespace namespace, Document.Ref ref) {
        return tree.read(namespace, ref);
    }

    @Override
    public List<Written> remove(List<Document.Ref> refs) {
        return tree.remove(refs);
    }
}
