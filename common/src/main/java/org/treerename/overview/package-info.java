/**
 * Lists of processes, renames and locks for people. This package only reads data. No decision of a service depends on
 * this package.
 */
@NullMarked
package org.treerename.overview;

import org.jspecify.annotations.NullMarked;
