import Curve

extension SignerState {
  /// One of our remote-signer keys and its link, pairing or ended pairing.
  struct ServedKey {
    enum Use {
      case open(OpenLink)
      /// A link whose pairing is being stored: no other app can use it.
      case claimed(OpenLink, by: PublicKey)
      case paired(Pairing)
      case ended(EndedPairing)
    }

    /// The most requests of one app that are put aside while its pairing is being stored.
    static let maximumHeld = 4

    let channel: Channel
    var use: Use
    var rates: ServedKeyRates
    var clockErrors = HourlyLimit()
    var held: [Arrival] = []
    /// The latest time that the app dated a request, before it was paired or since, in seconds since 1970.
    private(set) var latestRequest = Int64.min

    mutating func noteRequest(of time: Int64) { latestRequest = max(latestRequest, time) }

    var relays: [RelayURL] {
      switch use {
      case .open(let link), .claimed(let link, _): link.relays
      case .paired(let pairing): pairing.relays
      case .ended(let ended): ended.relays
      }
    }

    /// Those of them that may lie inside the owner's network: he made the link, or said so.
    var relaysInside: [RelayURL] {
      switch use {
      case .open(let link), .claimed(let link, _): link.relays
      case .paired(let pairing): pairing.hasOwnersRelays ? pairing.relays : pairing.relaysInside
      case .ended: []
      }
    }

    var ended: EndedPairing? { if case .ended(let ended) = use { ended } else { nil } }

    var pairing: Pairing? { if case .paired(let pairing) = use { pairing } else { nil } }

    func kind(of author: PublicKey) -> Author {
      switch use {
      case .open: .newcomer
      case .claimed(_, let client): client == author ? .newcomer : .outsider
      case .paired(let pairing): pairing.client == author ? .app : .outsider
      case .ended(let ended): ended.client == author ? .former : .outsider
      }
    }

    /// Whether the author is a stranger at this key: neither the app that it belongs to now nor the one it belonged to.
    func isOutsider(_ author: PublicKey) -> Bool {
      switch use {
      case .open: false
      case .claimed(_, let client): client != author
      case .paired(let pairing): pairing.client != author
      case .ended(let ended): ended.client != author
      }
    }
  }

  /// Who the author of an event claims to be. Its signature is not verified yet.
  enum Author {
    case app
    /// Somebody at an open link, or the app whose pairing is being stored.
    case newcomer
    /// The app of a pairing that ended.
    case former
    /// Somebody at a key that another app has or had, or that has ended.
    case outsider

    /// Whether it gets an error when its clock is wrong.
    var hearsOfItsClock: Bool { self == .app || self == .newcomer }
  }
}
