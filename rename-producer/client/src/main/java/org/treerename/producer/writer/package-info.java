/**
 * Locks for programs that write documents into a tree. While a program holds a directory, no rename moves the
 * directory. The entry point is {@link org.treerename.producer.writer.TreeLocks}.
 */
@NullMarked
package org.treerename.producer.writer;

import org.jspecify.annotations.NullMarked;
