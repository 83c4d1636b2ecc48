@NullMarked
package org.treerename.testservers;

import org.jspecify.annotations.NullMarked;
