internal import SecretMemory

/// One call to a server: what to ask, and what may come back.
struct HTTPCall {
  /// Bytes that are sent.
  enum Body {
    case none
    case bytes([UInt8])
    /// A file, read while it is sent.
    case file(path: String, length: UInt64)
  }

  /// Name and password, sent as Basic or Digest.
  struct Login {
    let user: String
    let password: SecretBox
  }

  var method: String
  /// Scheme, host, port, path and query; nothing of it comes from a server's answer.
  var url: String
  var headers: [String] = []
  var body = Body.none
  var login: Login?
  /// Certificates (PEM) to trust instead of the system's.
  var certificates: String?
  /// The longest answer that is kept, in bytes.
  var maximumAnswer = HTTPCall.usualAnswer
  /// Takes the body of an answer with status 200 instead of keeping it. False ends the call.
  var sink: ((UnsafeRawBufferPointer) -> Bool)?
  var control = TransferControl()

  /// 1 MiB: listings of some thousand files.
  static let usualAnswer = 1 << 20
}

/// How a transfer is watched and ended.
package struct TransferControl: Sendable {
  /// Asked several times a second, on the thread that transfers.
  package var isCancelled: @Sendable () -> Bool
  /// Hears how many bytes of how many went, in either direction.
  package var progress: @Sendable (_ done: UInt64, _ of: UInt64) -> Void

  /// Nobody watches, unless told otherwise.
  package init(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
  ) { (self.isCancelled, self.progress) = (isCancelled, progress) }
}

/// What a server answered.
struct HTTPAnswer {
  let status: Int
  let body: [UInt8]
}
