/** Tests of the classes that start the servers of the tests. */
@NullMarked
package org.treerename.testservers;

import org.jspecify.annotations.NullMarked;
