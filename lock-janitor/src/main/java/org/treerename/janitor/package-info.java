/** The lock janitor: judges the death of processes, rolls their renames forward, reclaims their locks. */
@NullMarked
package org.treerename.janitor;

import org.jspecify.annotations.NullMarked;
