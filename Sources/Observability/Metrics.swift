import AuditLog
import Platform
import Relays
import RemoteSigning
import Signer

/// An observation in the form that Prometheus reads. No label holds a key, a name, or anything an app said.
enum Metrics {
  static func text(_ seen: Observation) -> String {
    var text = PrometheusText()
    text.begin("holdfast_info", .gauge, "The version that runs.")
    text.sample(1, ("version", Version.text))
    text.single("holdfast_uptime_seconds", .gauge, "Seconds since the start.", seen.uptime)
    requests(&text, seen.counters)
    relays(&text, seen)
    connections(&text, seen.connections)
    state(&text, seen)
    return text.text
  }

  private static func requests(_ text: inout PrometheusText, _ counters: Counters) {
    text.begin("holdfast_requests_total", .counter, "Requests of apps, by method and by what was decided at first.")
    for method in AuditMethod.allCases where method != .createAccount {
      for verdict in Counters.Verdict.allCases {
        text.sample(counters.count(of: method, verdict), ("method", method.name), ("decision", verdict.rawValue))
      }
    }
    text.begin("holdfast_answers_total", .counter, "Answers made, by what the app got.")
    text.sample(counters.answered - min(counters.answered, counters.failed), ("result", "done"))
    text.sample(counters.failed, ("result", "error"))
    text.single("holdfast_signatures_total", .counter, "Events signed for apps.", Int64(counters.signed))
    text.single(
      "holdfast_unrecorded_total", .counter, "Requests refused because they could not be recorded.", Int64(counters.unrecorded))
    text.single("holdfast_unpublished_total", .counter, "Answers that no relay took.", Int64(counters.unpublished))
    text.begin("holdfast_dropped_total", .counter, "Events that got no answer, by why.")
    for reason in DropReason.allCases { text.sample(counters.dropped[reason] ?? 0, ("reason", name(of: reason))) }
    text.sample(counters.queueFull, ("reason", "queue_full"))
    text.histogram(
      "holdfast_request_duration_seconds", "From the arrival of a request to the first relay that took its answer.",
      counters.latency)
    text.histogram(
      "holdfast_approval_wait_seconds", "From the arrival of a request to the owner's answer.", counters.approvalWait)
  }

  private static func relays(_ text: inout PrometheusText, _ seen: Observation) {
    let owners = labelled(seen.relays.filter(\.isOwners).map(\.health))
    text.begin("holdfast_relay_connected", .gauge, "Whether a relay the owner named is connected.")
    for (label, health) in owners { text.sample(health.state == .connected, ("relay", label)) }
    text.begin("holdfast_relay_connects_total", .counter, "How often a relay the owner named was connected to.")
    for (label, health) in owners { text.sample(health.connects, ("relay", label)) }
    text.begin("holdfast_relay_events_total", .counter, "Events of a relay the owner named, by what became of them.")
    for (label, health) in owners {
      text.sample(health.received, ("relay", label), ("event", "received"))
      text.sample(health.published, ("relay", label), ("event", "published"))
      text.sample(health.refused, ("relay", label), ("event", "refused"))
    }
    // Apps' own relays are counted, not named, because their addresses would tell which app uses which.
    let apps = seen.relays.filter { !$0.isOwners }.map(\.health.state)
    text.begin("holdfast_app_relays", .gauge, "Relays that apps named, by how they are.")
    for state in [RelayHealth.State.connected, .connecting, .waiting] {
      text.sample(apps.count { $0 == state }, ("state", state.rawValue))
    }
    guard let embedded = seen.embedded else { return }
    text.begin("holdfast_embedded_relay", .gauge, "Connections, subscriptions and kept events of the embedded relay.")
    text.sample(embedded.connections, ("what", "connections"))
    text.sample(embedded.subscriptions, ("what", "subscriptions"))
    text.sample(embedded.kept, ("what", "kept_events"))
  }

  private static func connections(_ text: inout PrometheusText, _ seen: Observation.Connections) {
    text.single("holdfast_connections", .gauge, "Connections to the port.", Int64(seen.open))
    text.begin(
      "holdfast_connections_ended_total", .counter, "Connections closed or refused because all places were taken, by why.")
    text.sample(seen.pushedOut, ("why", "room"))
    text.sample(seen.refused, ("why", "turned_away"))
    text.sample(seen.unfinished, ("why", "unfinished"))
  }

  private static func state(_ text: inout PrometheusText, _ seen: Observation) {
    text.begin("holdfast_queue_length", .gauge, "What waits: for the owner, or for a worker.")
    text.sample(seen.waiting, ("queue", "owner"))
    text.sample(seen.queued, ("queue", "workers"))
    text.single(
      "holdfast_backup_failures", .gauge, "Failures of planned backups since the last that went well.", seen.backupFailures)
    if let last = seen.lastBackup {
      text.single("holdfast_backup_last_timestamp_seconds", .gauge, "When a planned backup last went well.", last)
    }
    text.single("holdfast_log_entries", .gauge, "Entries of the record.", Int64(clamping: seen.logEntries))
    text.single("holdfast_log_bytes", .gauge, "Bytes of the record's files.", seen.logBytes)
    if let free = seen.freeDiskBytes {
      text.single("holdfast_disk_free_bytes", .gauge, "Bytes free on the disk of the vault's folder.", free)
    }
    text.single("holdfast_resident_memory_bytes", .gauge, "Memory in RAM.", seen.memoryKiB * 1024)
    text.begin("holdfast_unlocked", .gauge, "Whether the signer is unlocked.")
    text.sample(!seen.isLocked)
    text.begin("holdfast_suspended", .gauge, "Whether the signer is suspended.")
    text.sample(seen.isSuspended)
    text.begin("holdfast_incidents_total", .counter, "Incidents since the start, by severity.")
    for severity in [Incident.Severity.minor, .critical] {
      text.sample(seen.counters.incidents[severity] ?? 0, ("severity", severity.rawValue))
    }
    text.begin("holdfast_paired", .gauge, "How many there are.")
    text.sample(seen.identities, ("what", "identities"))
    text.sample(seen.pairings, ("what", "apps"))
    text.sample(seen.links, ("what", "open_links"))
    let problems = Set(seen.problems)
    text.begin("holdfast_problem", .gauge, "What /healthz names.")
    for problem in Problem.allCases { text.sample(problems.contains(problem), ("problem", problem.rawValue)) }
  }

  // MARK: labels

  /// Relays by scheme, host and port, because a path or query may hold a secret that gives access. Two on one host are numbered.
  static func labelled(_ relays: [RelayHealth]) -> [(String, RelayHealth)] {
    var seen: [String: Int] = [:]
    return relays.map { health in
      let label = origin(health.url)
      seen[label, default: 0] += 1
      let number = seen[label] ?? 1
      return (number == 1 ? label : "\(label)#\(number)", health)
    }
  }

  /// Scheme, host and port of a relay's address.
  static func origin(_ url: String) -> String {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count > 2, parts[1].isEmpty else { return "unknown" }
    let host = parts[2].prefix { $0 != "?" && $0 != "#" }.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return "\(parts[0])//\(host)"
  }

  /// The reason's name in the spelling of metrics: `notOurs` is `not_ours`.
  static func name(of reason: DropReason) -> String {
    "\(reason)".utf8.reduce(into: "") { name, byte in
      let isUpper = (0x41...0x5A).contains(byte)
      if isUpper { name += "_" }
      name.unicodeScalars.append(Unicode.Scalar(isUpper ? byte + 0x20 : byte))
    }
  }
}
