package org.treerename.elastic;

import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeStore.Reach;

/** A question about a tree. {@link MergedSearch} answers several questions by the same searches. */
sealed interface Question {

    Namespace namespace();

    /** Returns the number of ranges of paths in the search for the answer. */
    int ranges();

    /** The documents around a rename. */
    record Around(Rename rename) implements Question {
        @Override
        public Namespace namespace() {
            return rename.namespace();
        }

        @Override
        public int ranges() {
            return 2
                    + (namespace().directoriesAreDocuments()
                            ? 0
                            : rename.destination().properAncestors().size());
        }
    }

    /** The number of documents that a scan of this path returns. */
    record Count(Namespace namespace, TreePath path, Reach reach) implements Question {
        @Override
        public int ranges() {
            return 1;
        }
    }
}
