/** Tests of the servers that these tests share. */
@NullMarked
package org.treerename.testservers;

import org.jspecify.annotations.NullMarked;
