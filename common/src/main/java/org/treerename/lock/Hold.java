package org.treerename.lock;

/**
 * The hold of one attempt of a request. The attempt writes its hold into each lock table that grants its locks.
 *
 * @param holdId the id of the hold, new for every attempt
 * @param processId the process that made the attempt
 * @param age the priority of the request, which contains the request id
 */
public record Hold(String holdId, String processId, LockPriority age) {

    public String requestId() {
        return age.requestId();
    }
}
