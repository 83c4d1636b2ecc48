package org.treerename.elastic;

import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeStore.Reach;

/**
 * One read of a tree, which returns documents or a count. {@link MergedSearch} merges several reads into a few
 * searches.
 */
sealed interface Question {

    Namespace namespace();

    /** Returns the number of path ranges that this read adds to a search. */
    int ranges();

    /**
     * A read of the documents at the source of a rename, at its destination and above its destination. This read also
     * counts the documents below the source and the documents below the destination.
     */
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

    /** A count of the documents that a scan of this path returns. */
    record Count(Namespace namespace, TreePath path, Reach reach) implements Question {
        @Override
        public int ranges() {
            return 1;
        }
    }
}
