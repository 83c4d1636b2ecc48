/**
 * The checker verifies that the effects of a run are correct and complete. The checker compares dumps of the tree, the
 * control index and the topics with a model of the tree. The checker has its own code to read Elasticsearch and Kafka.
 * It depends on the code for paths and namespaces, but not on the code that processes renames.
 */
@NullMarked
package org.treerename.checker;

import org.jspecify.annotations.NullMarked;
