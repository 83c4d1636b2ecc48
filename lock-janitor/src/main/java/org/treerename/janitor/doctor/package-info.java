/**
 * Examines the servers, the topics, the indices and the privileges that the services need, and reports findings. This
 * package changes nothing. The classes whose names end with {@code Findings} send no requests: they examine answers
 * from the servers.
 */
@NullMarked
package org.treerename.janitor.doctor;

import org.jspecify.annotations.NullMarked;
