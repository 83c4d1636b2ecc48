/** The servers that integration tests run against. Knows nothing of renames. */
@NullMarked
package org.treerename.testservers;

import org.jspecify.annotations.NullMarked;
