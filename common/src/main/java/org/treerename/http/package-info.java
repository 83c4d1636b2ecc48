/** HTTP in all services: the server of metrics and health, and the bearer tokens that a server accepts. */
@NullMarked
package org.treerename.http;

import org.jspecify.annotations.NullMarked;
