import AuditLog
import Curve
import Encodings
import Identities
import JSON
import Nostr
package import OwnerAPI
import OwnerWords
import RemoteSigning
import RequestPreview
import SecretMemory
package import Signer
import Vault

/// Describes the log's entries, and selects them.
extension Operations {
  /// The end of the year 9999, in seconds since 1970.
  private static let latestTime: Int64 = 253_402_300_799

  /// All given conditions must hold.
  func filter(_ wanted: LogFilter) throws -> AuditFilter {
    var filter = AuditFilter()
    filter.since = try Self.milliseconds(wanted.since, "since")
    filter.until = try Self.milliseconds(wanted.until, "until")
    // A complete public key also finds the entries of an app or an identity that is gone.
    filter.client = try wanted.client.map { try loggedApp($0) }
    filter.identity = try wanted.identity.map { try PublicKey(npubOrHex: $0) ?? identity(named: $0).publicKey }
    if let kind = wanted.kind {
      guard let kind = UInt16(exactly: kind) else { throw OperationError.usage("A kind must be a number from 0 to 65535.") }
      filter.eventKind = kind
    }
    if let entry = wanted.entry { filter.kinds = entry.kinds }
    filter.decision = wanted.decision.map { AuditEntry.Decision($0) }
    if let signed = wanted.signed {
      guard let id = Bytes32(hex: signed) else { throw OperationError.usage("The id of an event has 64 hex digits.") }
      filter.resultID = id
    }
    filter.isRequest = try wanted.request.map { try isNamed($0) }
    return filter
  }

  /// Whether the id of an event is that of a request whose name begins so.
  private func isNamed(_ digits: String) throws -> @Sendable (Bytes32) -> Bool {
    let (digits, naming) = (digits.lowercased(), home.engine.requestNaming)
    guard Self.isRequestID(digits) else { throw OperationError.notAnID }
    return { naming.name(of: $0).hasPrefix(digits) }
  }

  private static func milliseconds(_ time: Int64?, _ name: String) throws -> Int64? {
    guard let seconds = try time.natural(name) else { return nil }
    guard seconds <= latestTime else { throw OperationError.usage("“\(name)” must be a time in seconds since 1970.") }
    return seconds * 1000
  }

  /// - Parameters:
  ///   - names: the names of apps, by public key.
  ///   - requests: the names of requests.
  func describe(_ record: AuditRecord, _ names: [PublicKey: String], _ requests: RequestNaming) -> LogEntry {
    let entry = record.entry
    var described = LogEntry()
    (described.sequence, described.time) = (Int64(clamping: record.sequence), entry.time / 1000)
    described.entry = LogEntryKind(entry.kind)
    described.identity = entry.identity.map(name(ofIdentity:))
    (described.client, described.clientName) = (entry.client?.hex, entry.client.flatMap { names[$0] })
    (described.method, described.kind) = (entry.method.map { RequestMethod($0) }, entry.eventKind.map { Int64($0) })
    (described.decision, described.rule) = (entry.decision.map { Verdict($0) }, entry.rule?.description)
    (described.request, described.signed) = (entry.requestID?.hex, entry.resultID?.hex)
    described.requestName = entry.requestID.map(requests.name(of:))
    (described.error, described.amount) = (entry.error.map { Int64($0.rawValue) }, entry.amount)
    let (heading, asked) = (entry.heading.flatMap { RequestHeading(rawValue: $0) }, entry.decidingRule)
    // Why a request ended is its rule; its error is the same for all of them.
    let isExplained = entry.kind == .requestDropped && entry.rule != nil
    (described.text, described.failure) = (
      described.words(asked == .paymentAddress ? .payee : heading), isExplained ? nil : entry.error?.words
    )
    if [.requestDecided, .requestDone].contains(entry.kind), let method = entry.method.flatMap({ Method(rawValue: $0.name) }),
      !method.isAlwaysAllowed,
      let concern = RequestConcern.afterwards(method, kind: entry.eventKind.map { Int($0) }, heading, by: asked)
    {
      (described.risk, described.riskReason) = (Risk(concern.risk), concern.words)
      described.concern = Concern(rawValue: concern.rawValue)
    }
    return described
  }
}

extension LogCheckResult {
  init(_ result: AuditVerification) {
    self.init()
    (isSound, fault) = (result.fault == nil, result.fault?.sentence)
    (entries, redacted) = (Int64(clamping: result.entries), Int64(clamping: result.redacted))
    (isOpened, head) = (result.isOpened, result.root.hex)
    guard result.fault != nil else { return }
    firstBadEntry = result.fault?.firstBadEntry.map { Int64(clamping: $0) }
    lastGoodTime = result.lastTime.map { $0 / 1000 }
  }

  /// The log could not be read at all.
  init(_ error: AuditLogError) {
    self.init()
    fault = OperationError(error).error
  }
}

extension Opening {
  /// Checks the log of a home while no daemon runs, without opening it for appending, because it may be damaged.
  /// - Parameters:
  ///   - credential: nil checks what can be checked without keys.
  ///   - progress: called regularly with how many entries were checked, and of how many; 0 if that is unknown.
  package static func verifyLog(
    home: Home, credential: ShownCredential?, progress: (_ checked: UInt64, _ of: UInt64) -> Void = { _, _ in }
  ) throws(OperationError) -> LogVerify.Response {
    var response = LogVerify.Response()
    response.result = try OperationError.wrapping { try check(home, credential, progress) }
    return response
  }

  private static func check(
    _ home: Home, _ credential: ShownCredential?, _ progress: (_ checked: UInt64, _ of: UInt64) -> Void
  ) throws -> LogCheckResult {
    var vault: Vault?
    if let credential { vault = try Self.vault(home, credential) }
    defer { vault?.close() }
    var (keys, anchor): (AuditKeys?, AuditAnchor?) = (nil, nil)
    if let vault { (keys, anchor) = (try LogRecords.keys(vault), try LogRecords.anchor(vault)) }
    let total = ((try? AuditLog.extent(folder: home.log)) ?? nil)?.count ?? 0
    do throws(AuditLogError) {
      return LogCheckResult(
        try AuditLog.verify(folder: home.log, keys: keys, anchor: anchor) { checked in
          progress(checked, total)
          return true
        })
    } catch { return LogCheckResult(error) }
  }
}
