/** Processes, renames and locks for people to read. This package reads and never writes. No decision of a service depends on it. */
@NullMarked
package org.treerename.overview;

import org.jspecify.annotations.NullMarked;
