/**
 * Reads a tree while renames move its documents. A reader sees each rename as one step at its commit. This package
 * reads lock tables and journal entries, and writes nothing. The entry point is {@link
 * org.treerename.producer.reader.TreeViews}. {@link org.treerename.producer.reader.CommittedRenames} selects the
 * renames that a view shows as done. {@link org.treerename.producer.reader.Overlay} maps the paths.
 */
@NullMarked
package org.treerename.producer.reader;

import org.jspecify.annotations.NullMarked;
