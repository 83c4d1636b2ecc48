/**
 * A request, its outcome and its progress, as clients and services exchange them. The package does not know how a
 * rename is processed. Begin with {@link org.treerename.request.ParsedRequest} and
 * {@link org.treerename.request.Outcome}.
 */
@NullMarked
package org.treerename.request;

import org.jspecify.annotations.NullMarked;
