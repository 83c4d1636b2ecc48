/** What holds between the rooms. */
@NullMarked
package org.treerename;

import org.jspecify.annotations.NullMarked;
