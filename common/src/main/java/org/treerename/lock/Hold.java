package org.treerename.lock;

/**
 * What one attempt of one request writes into each lock table that grants it.
 *
 * @param holdId new for every attempt
 * @param processId the process that made the attempt
 * @param age how old the request is; names it
 */
public record Hold(String holdId, String processId, LockPriority age) {

    public String requestId() {
        return age.requestId();
    }
}
