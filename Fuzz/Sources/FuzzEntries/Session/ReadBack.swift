import Curve
import RemoteSigning

/// What a restart finds in the storage. Every record is written and read once; one that has not changed since comes back the same.
struct ReadBack {
  private var servedKeys: [PublicKey: SessionModel.ServedKey] = [:]
  private var requests: [String: PendingRequest] = [:]

  /// A link or pairing, from its record. A link that was claimed is open again.
  mutating func servedKey(
    _ servedKey: SessionModel.ServedKey, at key: PublicKey
  ) throws(FuzzFault) -> SessionModel.ServedKey {
    let before: SessionModel.ServedKey = if case .claimed(let link) = servedKey { .open(link) } else { servedKey }
    if let earlier = servedKeys[key], earlier == before { return earlier }
    let stored = try unfailing("a record is read") { () throws(RecordError) in try Self.stored(before) }
    try require(stored == before, "links, pairings and what is left of them survive a restart")
    servedKeys[key] = stored
    return stored
  }

  /// A waiting request, from its record.
  mutating func request(_ request: PendingRequest) throws(FuzzFault) -> PendingRequest {
    if let earlier = requests[request.name], earlier == request { return earlier }
    let stored = try unfailing("a request's record is read") { () throws(RecordError) in
      try PendingRequest(record: request.record)
    }
    try require(stored == request, "a waiting request survives a restart")
    requests[request.name] = stored
    return stored
  }

  private static func stored(_ servedKey: SessionModel.ServedKey) throws(RecordError) -> SessionModel.ServedKey {
    switch servedKey {
    case .open(let link), .claimed(let link): .open(try OpenLink(record: link.record))
    case .paired(let pairing): .paired(try Pairing(record: pairing.record))
    case .ended(let ended): .ended(try EndedPairing(record: ended.record))
    }
  }
}
