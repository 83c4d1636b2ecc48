/**
 * The types for the answers of a store: versions, conflicts, missing answers and refusals. The package also contains
 * the hash function for ids. The package does not depend on renames, locks or trees.
 */
@NullMarked
package org.treerename.store;

import org.jspecify.annotations.NullMarked;
