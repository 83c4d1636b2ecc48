/** The lock janitor: detects dead processes, rolls their renames forward, and releases their locks. */
@NullMarked
package org.treerename.janitor;

import org.jspecify.annotations.NullMarked;
