/**
 * Locks for other programs that write documents into a tree. While such a program holds a directory, no rename moves it. The entry point is {@link
 * org.treerename.writer.TreeLocks}.
 */
@NullMarked
package org.treerename.writer;

import org.jspecify.annotations.NullMarked;
