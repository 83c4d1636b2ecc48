package org.treerename.elastic;

import org.treerename.path.Namespace;
import org.treerename.path.TreePath;
import org.treerename.rename.Rename;
import org.treerename.rename.TreeStore.Reach;

/** One question to a tree, which a look answers together with others. */
sealed interface Question {

    Namespace namespace();

    /** How many ranges of paths the search for the answer has. */
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

    /** How many documents a scan finds. */
    record Count(Namespace namespace, TreePath path, Reach reach) implements Question {
        @Override
        public int ranges() {
            return 1;
        }
    }
}
