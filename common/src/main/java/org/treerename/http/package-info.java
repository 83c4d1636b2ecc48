/**
 * HTTP in all services. {@link org.treerename.http.HttpServer} is the server of the gateway and of the console, with
 * limits and TLS. {@link org.treerename.http.ManagementServer} serves metrics and health. The package also contains
 * requests, responses and bearer tokens.
 */
@NullMarked
package org.treerename.http;

import org.jspecify.annotations.NullMarked;
