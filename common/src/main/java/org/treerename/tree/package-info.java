/**
 * The documents of a tree: the store that reads and moves documents, the fields that contain paths, and the speed of
 * moves. Begin with {@link org.treerename.tree.TreeStore}. {@link org.treerename.tree.Rename} defines how one rename
 * changes a document.
 */
@NullMarked
package org.treerename.tree;

import org.jspecify.annotations.NullMarked;
