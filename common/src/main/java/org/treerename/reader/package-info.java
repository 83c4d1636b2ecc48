/**
 * Reads a tree while renames move it. A reader sees each rename as one step at its commit. This package knows lock tables and journal entries. It does
 * not know how documents are searched, and it writes nothing.
 */
@NullMarked
package org.treerename.reader;

import org.jspecify.annotations.NullMarked;
