/**
 * Whether a run has left behind what it must: dumps of the tree and of the control index, a model of the tree, and what
 * does not fit between them. Reads Elasticsearch by itself; knows paths and namespaces, and nothing of how a rename works.
 */
@NullMarked
package org.treerename.checker;

import org.jspecify.annotations.NullMarked;
