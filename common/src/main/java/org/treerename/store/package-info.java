/**
 * The possible answers of a store: versions, conflicts, missing answers and refusals; and the hash from which ids are made. They do not
 * depend on renames, locks or trees.
 */
@NullMarked
package org.treerename.store;

import org.jspecify.annotations.NullMarked;
