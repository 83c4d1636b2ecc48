package org.treerename.checker;

import java.util.List;

/** The process documents of the control index, after a refresh. */
public record ProcessDump(List<ProcessState> processes) {

    /**
     * One process document.
     *
     * @param state the stored state: {@code live}, {@code fenced} or {@code stopped}
     */
    public record ProcessState(String processId, String service, String host, String state, long heartbeat) {}

    public ProcessDump {
        processes = List.copyOf(processes);
    }

    public static ProcessDump read(ElasticsearchHttp http) {
        return new ProcessDump(ControlDocuments.ofKind(http, "process").stream()
                .map(json -> new ProcessState(
                        json.required("process_id").asText(),
                        json.required("service").asText(),
                        json.required("host").asText(),
                        json.required("state").asText(),
                        json.required("heartbeat").asLong()))
                .toList());
    }

    /** Returns the number of live processes of a service. */
    public long live(String service) {
        return processes.stream()
                .filter(process ->
                        process.service().equals(service) && process.state().equals("live"))
                .count();
    }
}
