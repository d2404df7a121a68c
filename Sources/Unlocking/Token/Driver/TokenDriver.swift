import CToken
import Ciphers
import Encodings
import SecretMemory
import Vault

/// The drivers of one call, in a separate process, as the signer sees them. Their answers are untrusted input.
struct TokenDriver {
  /// One token in a reader, as its driver reports it.
  struct Token {
    /// Its index in the driver's list.
    let place: UInt8
    let info: CK_TOKEN_INFO
    /// The path of its driver; nil when that is unknown.
    let path: String?
  }

  /// All tokens that are present, initialised and have a PIN.
  struct View {
    let slots: Int
    let tokens: [Token]
  }

  private let channel: any DriverChannel
  let limits: TokenLimits

  /// Loads and starts the drivers.
  /// - Parameter hasModule: whether the other end of the channel has one driver's file. Otherwise it uses p11-kit's
  ///   configuration.
  init(_ channel: any DriverChannel, hasModule: Bool, limits: TokenLimits = TokenLimits()) throws(KeyStoreError) {
    (self.channel, self.limits) = (channel, limits)
    try nothing(.start, [hasModule ? 1 : 0], limits.answer)
  }

  func view() throws(KeyStoreError) -> View {
    let answer = try ask(.tokens, [], limits.answer)
    guard let view = View(answer) else { throw unreadable }
    return view
  }

  /// Finds the one matching token.
  /// - Parameter uri: nil for any.
  /// - Throws: `.notPresent`, or `.duplicateItem` when several match.
  func token(_ uri: TokenURI?) throws(KeyStoreError) -> Token {
    var found: [Token] = []
    for token in try view().tokens where try uri?.fits(token.info) ?? true { found.append(token) }
    guard let first = found.first else { throw .notPresent("the token") }
    guard found.count == 1 else { throw .duplicateItem }
    return first
  }

  /// Whether the token supports that use, without a login.
  func can(_ token: Token, _ use: TokenKeyUse) throws(KeyStoreError) -> Bool {
    switch try ask(.can, [token.place] + use.encoded, limits.answer) {
    case [0]: return false
    case [1]: return true
    default: throw unreadable
    }
  }

  /// Shows the PIN, once.
  /// - Parameter pin: as typed; nil for a token with its own keypad.
  func logIn(_ token: Token, pin: SecretBox?) throws(KeyStoreError) {
    guard (pin?.count ?? 0) <= TokenProtocol.maximumPIN else { throw .authenticationFailed(triesLeft: nil, waitSeconds: 0) }
    let head = [token.place, pin == nil ? 0 : 1]
    try nothing(.logIn, head, secret: pin, pin == nil ? limits.keypad : limits.answer)
  }

  // MARK: behind the login

  /// Makes a key pair on the token. The private key cannot be extracted.
  func generate(_ use: TokenKeyUse, id: [UInt8], label: String) throws(KeyStoreError) -> TokenPublicKey {
    try publicKey(ask(.generate, use.encoded + Self.fields(id, Array(label.utf8)), limits.making), of: use)
  }

  /// - Throws: `.itemNotFound`, or `.corrupt` for a key of another kind.
  func publicKey(_ id: [UInt8], _ use: TokenKeyUse) throws(KeyStoreError) -> TokenPublicKey {
    try publicKey(ask(.publicKey, use.encoded + Self.fields(id), limits.answer), of: use)
  }

  /// An ECDSA signature of 64 bytes over a digest. It is not verified.
  func sign(_ digest: Bytes32, with id: [UInt8]) throws(KeyStoreError) -> [UInt8] {
    let signature = try ask(.sign, digest.array + Self.fields(id), limits.touch)
    guard signature.count == 64 else { throw unreadable }
    return signature
  }

  /// The x coordinate of the shared point, 32 bytes.
  func agree(_ id: [UInt8], with point: [UInt8]) throws(KeyStoreError) -> SecretBytes {
    try secret(.agree, Self.fields(id, point))
  }

  /// Decrypts 32 bytes that were encrypted with RSA-OAEP.
  func decrypt(_ wrapped: [UInt8], with id: [UInt8]) throws(KeyStoreError) -> SecretBytes {
    try secret(.decrypt, Self.fields(id, wrapped))
  }

  /// Deletes both halves.
  func delete(_ id: [UInt8]) throws(KeyStoreError) { try nothing(.delete, Self.fields(id), limits.answer) }

  // MARK: requests and answers

  private static func fields(_ fields: [UInt8]...) -> [UInt8] {
    var bytes: [UInt8] = []
    for field in fields { bytes.append(field: field) }
    return bytes
  }

  private func publicKey(_ answer: [UInt8], of use: TokenKeyUse) throws(KeyStoreError) -> TokenPublicKey {
    guard let key = try TokenPublicKey(encoded: answer) else { throw unreadable }
    switch (key, use) {
    case (.curve, .signing), (.curve, .agreement), (.rsa, .decryption): return key
    default: throw unreadable
    }
  }

  private func nothing(
    _ request: TokenRequest, _ body: [UInt8], secret: SecretBox? = nil, _ limit: TokenLimits.Limit
  ) throws(KeyStoreError) {
    guard try ask(request, body, secret: secret, limit).isEmpty else { throw unreadable }
  }

  private func ask(
    _ request: TokenRequest, _ body: [UInt8], secret: SecretBox? = nil, _ limit: TokenLimits.Limit
  ) throws(KeyStoreError) -> [UInt8] {
    let deadline = TokenDeadline(limit)
    try send(request, body, secret, deadline)
    return try bytes(answerLength(deadline), deadline)
  }

  private func secret(_ request: TokenRequest, _ body: [UInt8]) throws(KeyStoreError) -> SecretBytes {
    let deadline = TokenDeadline(limits.touch)
    try send(request, body, nil, deadline)
    guard try answerLength(deadline) == SlotWrap.secretLength else { throw unreadable }
    do {
      return try SecretBytes(count: SlotWrap.secretLength) { (room) throws(KeyStoreError) in
        try channel.receive(room, until: deadline)
      }
    } catch {
      switch error {
      case .outOfMemory: throw .vault(.outOfMemory)
      case .filling(let fault): throw fault
      }
    }
  }

  /// - Parameter secret: sent after the body; never copied.
  private func send(
    _ request: TokenRequest, _ body: [UInt8], _ secret: SecretBox?, _ deadline: TokenDeadline
  ) throws(KeyStoreError) {
    let length = body.count + (secret?.count ?? 0)
    guard length <= TokenProtocol.maximumRequest else { throw .corrupt("a request to its driver") }
    try (TokenProtocol.header(request.rawValue, length) + body).withBuffer { (bytes) throws(KeyStoreError) in
      try channel.send(bytes, until: deadline)
    }
    try secret?.withBytes { (bytes) throws(KeyStoreError) in try channel.send(bytes, until: deadline) }
  }

  /// Reads the length of the answer.
  /// - Throws: also the error that was sent instead of an answer.
  private func answerLength(_ deadline: TokenDeadline) throws(KeyStoreError) -> Int {
    var reader = ByteReader(try bytes(TokenProtocol.headerLength, deadline)[...])
    guard let kind = reader.byte(), let length: UInt32 = reader.integer(), length <= TokenProtocol.maximumAnswer else {
      throw unreadable
    }
    guard kind != 0 else { return Int(length) }
    guard kind == 1, length == TokenFailureCode.length,
      let fault = TokenFailureCode.error(try bytes(TokenFailureCode.length, deadline))
    else {
      throw unreadable
    }
    throw fault
  }

  /// - Parameter count: within the limit of an answer.
  private func bytes(_ count: Int, _ deadline: TokenDeadline) throws(KeyStoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var fault: KeyStoreError?
    bytes.withUnsafeMutableBytes { room in
      do throws(KeyStoreError) { try channel.receive(room, until: deadline) } catch { fault = error }
    }
    if let fault { throw fault }
    return bytes
  }

  private var unreadable: KeyStoreError {
    channel.giveUp()
    return .deviceFailed("its driver sent what is no answer", code: 0)
  }
}
