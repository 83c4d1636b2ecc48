/** Tests of the checker. Most tests add a defect to a run, and the checker must report this defect. */
@NullMarked
package org.treerename.checker;

import org.jspecify.annotations.NullMarked;
