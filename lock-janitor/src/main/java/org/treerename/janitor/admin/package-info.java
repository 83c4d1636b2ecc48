/** The operator's console: what stands in the control index, and what people can do about it. Knows all rooms of common. */
@NullMarked
package org.treerename.janitor.admin;

import org.jspecify.annotations.NullMarked;
