/**
 * The locks for others: programs that write documents into a tree and take part in its locks, so that no directory is renamed
 * while they write into it. Begin with {@link org.treerename.writer.TreeLocks}.
 */
@NullMarked
package org.treerename.writer;

import org.jspecify.annotations.NullMarked;
