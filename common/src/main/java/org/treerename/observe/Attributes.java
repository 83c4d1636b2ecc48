package org.treerename.observe;

import io.opentelemetry.api.common.AttributeKey;

/** The attributes of spans. Attributes that OpenTelemetry defines have OpenTelemetry's names. */
final class Attributes {

    static final AttributeKey<String> REQUEST_ID = AttributeKey.stringKey("tree_rename.request_id");
    static final AttributeKey<String> NAMESPACE = AttributeKey.stringKey("tree_rename.namespace");
    static final AttributeKey<String> PROCESS_ID = AttributeKey.stringKey("tree_rename.process_id");

    /** The status of the outcome; {@value #PARKED} for a parked rename. */
    static final AttributeKey<String> STATUS = AttributeKey.stringKey("tree_rename.status");

    static final AttributeKey<String> REASON = AttributeKey.stringKey("tree_rename.reason");

    /** The number of documents that have moved. */
    static final AttributeKey<Long> MOVED = AttributeKey.longKey("tree_rename.moved");

    /** The number of documents that a pass has read. */
    static final AttributeKey<Long> FOUND = AttributeKey.longKey("tree_rename.found");

    /** Whether an attempt acquired all its locks. */
    static final AttributeKey<Boolean> TAKEN = AttributeKey.booleanKey("tree_rename.taken");

    static final AttributeKey<String> TOPIC = AttributeKey.stringKey("messaging.destination.name");
    static final AttributeKey<String> PARTITION = AttributeKey.stringKey("messaging.destination.partition.id");
    static final AttributeKey<Long> OFFSET = AttributeKey.longKey("messaging.kafka.offset");

    static final String PARKED = "parked";

    private Attributes() {}
}
