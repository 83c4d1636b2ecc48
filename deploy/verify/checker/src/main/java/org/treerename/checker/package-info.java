/**
 * Checks whether the effects of a run are correct and complete. Reads dumps of the tree, the control index and the
 * topics, and compares them with a model of the tree. Reads Elasticsearch and Kafka with its own code. Depends only on
 * paths and namespaces, and not on the code that renames.
 */
@NullMarked
package org.treerename.checker;

import org.jspecify.annotations.NullMarked;
