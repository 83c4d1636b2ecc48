@NullMarked
package org.treerename.testoutput;

import org.jspecify.annotations.NullMarked;
