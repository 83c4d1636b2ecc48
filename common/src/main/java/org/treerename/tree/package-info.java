/**
 * The documents of a tree: the store that reads and moves documents, the fields that contain paths, and the speed of
 * moves. Begin with {@link org.treerename.tree.TreeStore}. {@link org.treerename.tree.Rename} computes the new path of
 * a document, and {@link org.treerename.tree.PathFields} writes the path into the document.
 */
@NullMarked
package org.treerename.tree;

import org.jspecify.annotations.NullMarked;
