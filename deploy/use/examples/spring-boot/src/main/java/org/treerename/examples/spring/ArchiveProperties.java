package org.treerename.examples.spring;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** The properties {@code archive.*}: the namespace, and the source and the destination of the rename. */
@ConfigurationProperties("archive")
record ArchiveProperties(String namespace, String source, String destination) {}
