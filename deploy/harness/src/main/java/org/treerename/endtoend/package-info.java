/** Whole services as processes of their own, on real servers, seen only through the topics and the indices. */
@NullMarked
package org.treerename.endtoend;

import org.jspecify.annotations.NullMarked;
