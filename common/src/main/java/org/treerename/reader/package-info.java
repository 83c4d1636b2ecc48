/**
 * Reading a tree while renames move it: each rename is seen whole, from its commit on. Knows lock tables and journal entries; does not know how
 * documents are searched, and writes nothing.
 */
@NullMarked
package org.treerename.reader;

import org.jspecify.annotations.NullMarked;
