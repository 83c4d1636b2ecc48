/** The servers of the integration tests. This package does not depend on the code that processes renames. */
@NullMarked
package org.treerename.testservers;

import org.jspecify.annotations.NullMarked;
