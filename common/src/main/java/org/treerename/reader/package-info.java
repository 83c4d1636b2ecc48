/**
 * Reads a tree while renames move it. A reader sees each rename as one step at its commit. This package knows lock
 * tables and journal entries. It does not depend on the implementation of searches, and it writes nothing. Begin with
 * {@link org.treerename.reader.TreeViews}; {@link org.treerename.reader.CommittedRenames} decides which renames a view
 * shows, and {@link org.treerename.reader.Overlay} maps the paths.
 */
@NullMarked
package org.treerename.reader;

import org.jspecify.annotations.NullMarked;
