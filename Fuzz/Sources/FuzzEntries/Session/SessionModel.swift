import Curve
import Encodings
import Nostr
import RemoteSigning

/// What should be true of an engine, kept the plain way.
struct SessionModel {
  /// What a remote-signer key stands for.
  enum ServedKey: Equatable {
    case open(OpenLink)
    case claimed(OpenLink)
    case paired(Pairing)
    case ended(EndedPairing)
  }

  static let relay: RelayURL = RelayURL("ws://127.0.0.1:24133/relay")!  // a fixed, right address
  var servedKeys: [PublicKey: ServedKey] = [:]
  /// Signers that were given out; none is given out twice.
  var usedSigners: Set<PublicKey> = []
  /// Request ids that were acted on: a key was used, a request was put before the owner, or an app was paired.
  private(set) var acted: Set<Bytes32> = []
  /// What the audit log holds: every exchange, with its event's time.
  private var recorded: [(id: Bytes32, createdAt: Int64)] = []

  static func secret(_ signer: Int) -> String { "secret-\(signer)" }

  func pairing(at signer: PublicKey) -> Pairing? {
    if case .paired(let pairing)? = servedKeys[signer] { pairing } else { nil }
  }

  func isPaired(_ client: PublicKey, at signer: PublicKey) -> Bool { pairing(at: signer)?.client == client }

  var pairings: [PublicKey: Pairing] {
    servedKeys.compactMapValues { if case .paired(let pairing) = $0 { pairing } else { nil } }
  }

  /// How many links are open, and how many pairings there are and were. A link that is claimed is neither.
  var counts: (open: Int, paired: Int, ended: Int) {
    var counts = (open: 0, paired: 0, ended: 0)
    for servedKey in servedKeys.values {
      switch servedKey {
      case .open: counts.open += 1
      case .paired: counts.paired += 1
      case .ended: counts.ended += 1
      case .claimed: break
      }
    }
    return counts
  }

  /// A link or pairing has ended; a second time, its key is let go.
  mutating func end(_ signer: PublicKey, now: Int64) {
    switch servedKeys[signer] {
    case .open(let link)?, .claimed(let link)?: servedKeys[signer] = .ended(EndedPairing(link, endedAt: now))
    case .paired(let pairing)?: servedKeys[signer] = .ended(EndedPairing(pairing, endedAt: now))
    case .ended?, nil: servedKeys[signer] = nil
    }
  }

  /// Takes out what the app had before with this identity, by whatever link.
  /// - Returns: the new pairing. What the owner changed while it was being stored holds for it, too; its trust is the link's.
  mutating func confirm(_ offer: PairingOffer) -> Pairing {
    var pairing = offer.pairing
    let earlier = pairings.values.filter {
      $0.client == pairing.client && $0.identity == pairing.identity && $0.remoteSigner != offer.link
    }
    if let latest = earlier.max(by: { $0.pairedAt < $1.pairedAt }) {
      pairing.grant = latest.grant
      pairing.grant.trust = offer.pairing.grant.trust
    }
    for replaced in offer.replaced + earlier.map(\.remoteSigner) where self.pairing(at: replaced) != nil {
      end(replaced, now: pairing.pairedAt)
    }
    return pairing
  }

  /// What the owner approved lately, as far as an exchange tells of it, and when.
  private(set) var approvals: [(signer: PublicKey, method: Method?, kind: Int?, at: Int64)] = []

  mutating func approve(_ exchange: Exchange, now: Int64) {
    approvals.append((exchange.channel.signer.publicKey, exchange.method, exchange.kind, now))
  }

  /// Whether an exchange repeats what the owner approved a moment ago.
  func isApproved(_ exchange: Exchange, now: Int64) -> Bool {
    approvals.contains {
      $0.signer == exchange.channel.signer.publicKey && $0.method == exchange.method && $0.kind == exchange.kind
        && now - $0.at <= OwnerAnswer.approvalWindow
    }
  }

  mutating func record(_ exchange: Exchange) { recorded.append((exchange.eventID, exchange.createdAt)) }

  /// - Throws: when the id was acted on before.
  mutating func act(on id: Bytes32) throws(FuzzFault) {
    try require(acted.insert(id).inserted, "no request is acted on twice")
  }

  /// As the daemon does at start-up, and when the clock was set back.
  func restoreSeen(into engine: SigningEngine) {
    for (id, createdAt) in recorded { engine.restoreSeen(id, createdAt: createdAt) }
  }

  /// Whether an app with this grant may do this without the owner, by the rules as the documents state them.
  static func mayActAlone(_ method: Method?, kind: Int?, under grant: Grant) -> Bool {
    guard let method else { return false }
    let (exact, broad) = (Permission(method, kind: kind), Permission(method))
    if grant.denied.contains(exact) { return false }
    if let kind, [7375, 17375, 27235].contains(kind) { return false }
    if grant.allowed.contains(exact) { return true }
    if grant.denied.contains(broad) { return false }
    let isProtected = kind.map { [0, 3, 5, 10002, 30078].contains($0) } ?? false
    switch grant.trust {
    case .full: return true
    case .medium: return !isProtected
    case .low: return grant.allowed.contains(broad) && !isProtected
    }
  }
}
