import Platform

/// Where somebody shows a credential or tries to sign in, and for what: the log names it beside what failed. Made of our own words only.
package struct AttemptOrigin: Sendable, Hashable {
  package enum Place: Sendable, Hashable {
    /// The command line.
    case terminal
    /// A notification on the desktop.
    case desktop
    /// The console's sign-in page, where nobody is signed in yet.
    case signInPage
    /// A browser that is signed in to the console, by the id of its session.
    case browser(session: String)
    /// Another machine that tried to sign in, by its address.
    case network(String)
    /// A process of the signer's user that tried to sign in.
    case thisMachine
    /// A process of another user of this machine, by the user's number.
    case user(UInt32)
  }

  package let place: Place
  /// The operation, such as `identity/export`.
  package let operation: String

  package init(_ place: Place, operation: String) { (self.place, self.operation) = (place, operation) }

  /// For the log: `from the browser 3fa29c01, for identity/export`. What only signs in stands alone.
  package var words: String {
    switch place {
    case .terminal: "from a terminal, for \(operation)"
    case .desktop: "from the desktop, for \(operation)"
    case .signInPage: "from the sign-in page"
    case .network(let address): "from \(address)"
    case .thisMachine: "from this machine"
    case .user(let number): "from user \(number) of this machine"
    case .browser(let session): "from the browser \(session.prefix(8)), for \(operation)"
    }
  }
}

/// The origins of the calls under way, by the thread that carries each out.
final class AttemptOrigins: Sendable {
  private let origins = Locked<[SystemThread: AttemptOrigin]>([:])

  /// The origin of the call that this thread carries out; nil outside of calls.
  var current: AttemptOrigin? { origins.withLock { $0[.current] } }

  /// Carries out a call.
  func from<Result, Failure: Error>(_ origin: AttemptOrigin, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let outer = origins.withLock { $0.updateValue(origin, forKey: .current) }
    defer { origins.withLock { $0[.current] = outer } }
    return try body()
  }
}
