/** Tests of the checker: each test makes a defect, and the checker must report it. */
@NullMarked
package org.treerename.checker;

import org.jspecify.annotations.NullMarked;
