/** What a path and a namespace are. Knows no other room. */
@NullMarked
package org.treerename.path;

import org.jspecify.annotations.NullMarked;
