/** Each defect that the checker is for is put there and must be named. */
@NullMarked
package org.treerename.checker;

import org.jspecify.annotations.NullMarked;
