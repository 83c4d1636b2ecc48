/** Tests of the commands, the scripts and the documents. Most tests need no server. */
@NullMarked
package org.treerename.local;

import org.jspecify.annotations.NullMarked;
