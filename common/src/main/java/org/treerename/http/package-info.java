/**
 * HTTP in all services: the server of the gateway and the console with its limits and its TLS, the server of metrics and health, requests
 * and responses, and the bearer tokens that a server accepts.
 */
@NullMarked
package org.treerename.http;

import org.jspecify.annotations.NullMarked;
