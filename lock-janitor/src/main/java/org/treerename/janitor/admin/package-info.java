/**
 * The operator's command line: shows and changes the state in the control index. This package uses all packages of the
 * module {@code common}.
 */
@NullMarked
package org.treerename.janitor.admin;

import org.jspecify.annotations.NullMarked;
