package org.treerename.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.treerename.namespace.Namespace;

/** A tree store that permanently refuses to move some documents, as Elasticsearch does with status 400. */
public record RefusingTreeStore(TreeStore tree, Predicate<Move> refused) implements ForwardingTreeStore {

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
}
