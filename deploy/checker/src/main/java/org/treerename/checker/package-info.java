/**
 * Whether a run has done and left behind what it must, and nothing else: dumps of the tree, the control index and the
 * topics, a model of the tree, and what does not fit between them. Reads Elasticsearch and Kafka by itself; knows paths and namespaces, and nothing of how a rename works.
 */
@NullMarked
package org.treerename.checker;

import org.jspecify.annotations.NullMarked;
