/**
 * The definitions of namespaces: the index of a tree, the fields that contain the path of a document, and the rules of
 * the renames. {@link org.treerename.namespace.NamespaceFile} reads definitions from YAML. This package does not depend
 * on an implementation of the store of the definitions.
 */
@NullMarked
package org.treerename.namespace;

import org.jspecify.annotations.NullMarked;
