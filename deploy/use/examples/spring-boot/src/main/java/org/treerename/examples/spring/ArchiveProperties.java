package org.treerename.examples.spring;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** The tree and the directories. */
@ConfigurationProperties("archive")
record ArchiveProperties(String namespace, String source, String destination) {}
