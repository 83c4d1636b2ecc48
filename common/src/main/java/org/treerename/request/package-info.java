/**
 * A request, its outcome and its progress, as clients and services exchange them. The package contains no code that
 * processes renames. Begin with {@link org.treerename.request.ParsedRequest} and {@link
 * org.treerename.request.Outcome}.
 */
@NullMarked
package org.treerename.request;

import org.jspecify.annotations.NullMarked;
