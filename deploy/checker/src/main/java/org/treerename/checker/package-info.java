/**
 * Checks whether a run has done and left behind exactly what it must. Contains dumps of the tree, the control index and the
 * topics, a model of the tree, and the comparisons between them. Reads Elasticsearch and Kafka with its own code. Depends on
 * paths and namespaces only, and not on the code that renames.
 */
@NullMarked
package org.treerename.checker;

import org.jspecify.annotations.NullMarked;
