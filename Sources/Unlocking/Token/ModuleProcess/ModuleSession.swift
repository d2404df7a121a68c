import CToken
import Ciphers
import Encodings
import SecretMemory
import Vault

/// The drivers of one process, and the state of its session.
struct ModuleSession: ~Copyable {
  // The order matters: the session is closed before its driver is unloaded.
  private var session: TokenSession?
  private let modules: TokenModules
  private let socket: ModuleService
  private var tokens: [Token] = []

  init(_ modules: consuming TokenModules, socket: ModuleService) {
    self.modules = modules
    self.socket = socket
    session = nil
  }

  /// - Parameter length: of the request's body, within the limit, not read yet.
  /// - Returns: false when the signer sent an invalid request, or has ended.
  mutating func answer(_ request: TokenRequest, _ length: Int) -> Bool {
    if request == .logIn { return logIn(length) }
    guard let body = socket.bytes(length) else { return false }
    var reader = ByteReader(body[...])
    do throws(KeyStoreError) {
      switch request {
      case .start, .logIn: return false
      case .tokens: return socket.answer(try list())
      case .can:
        guard let token = token(reader.byte()), let use = TokenKeyUse(&reader) else { return false }
        return socket.answer([token.can(use) ? 1 : 0])
      default: return try useKey(request, &reader)
      }
    } catch { return socket.refuse(error) }
  }

  private func token(_ place: UInt8?) -> Token? {
    guard let place, tokens.indices.contains(Int(place)) else { return nil }
    return tokens[Int(place)]
  }

  /// All tokens, in the format of `TokenRequest.tokens`.
  private mutating func list() throws(KeyStoreError) -> [UInt8] {
    tokens = Array(try modules.tokens(nil).prefix(TokenProtocol.maximumTokens))
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt16(clamping: modules.slotCount))
    bytes.append(UInt8(clamping: tokens.count))
    for token in tokens {
      withUnsafeBytes(of: token.info.label) { bytes += $0 }
      withUnsafeBytes(of: token.info.manufacturerID) { bytes += $0 }
      withUnsafeBytes(of: token.info.model) { bytes += $0 }
      withUnsafeBytes(of: token.info.serialNumber) { bytes += $0 }
      bytes.append(bigEndian: UInt64(token.info.flags))
      let path = modules.path(of: token).map { Array($0.utf8) } ?? []
      bytes.append(field: path.count <= ModuleFile.maximumLength ? path : [])
    }
    return bytes
  }

  private mutating func logIn(_ length: Int) -> Bool {
    guard session == nil, length >= 2, let head = socket.bytes(2), let token = token(head[0]),
      length <= TokenProtocol.maximumPIN + 2,
      (head[1] == 1) == (length > 2)
    else { return false }
    var pin: SecretBox?
    if length > 2 {
      pin = socket.secret(length - 2)
      guard pin != nil else { return false }
    }
    do throws(KeyStoreError) {
      session = try TokenSession(token, pin: pin)
      return socket.answer([])
    } catch { return socket.refuse(error) }
  }

  private func useKey(_ request: TokenRequest, _ reader: inout ByteReader) throws(KeyStoreError) -> Bool {
    switch session {
    case .none: return false
    case .some(let session): return try session.answer(request, &reader, socket)
    }
  }
}

extension TokenSession {
  /// - Returns: false for an invalid body.
  fileprivate borrowing func answer(
    _ request: TokenRequest, _ reader: inout ByteReader, _ socket: ModuleService
  ) throws(KeyStoreError) -> Bool {
    switch request {
    case .start, .tokens, .can, .logIn: return false
    case .generate:
      guard let use = TokenKeyUse(&reader), let id = reader.field(), let label = reader.field() else { return false }
      return socket.answer(try generate(use, id: id, label: String(decoding: label, as: UTF8.self)).encoded)
    case .publicKey:
      guard let use = TokenKeyUse(&reader), let id = reader.field() else { return false }
      return socket.answer(try publicKey(id, use).encoded)
    case .sign:
      guard let digest = reader.bytes32(), let id = reader.field() else { return false }
      return socket.answer(try sign(digest, with: privateKey(id)))
    case .agree:
      guard let id = reader.field(), let point = reader.field() else { return false }
      return socket.answer(try agree(privateKey(id), with: point))
    case .decrypt:
      guard let id = reader.field(), let wrapped = reader.field() else { return false }
      return socket.answer(try decrypt(wrapped, with: privateKey(id)))
    case .delete:
      guard let id = reader.field() else { return false }
      try delete(id)
      return socket.answer([])
    }
  }
}

extension Token {
  fileprivate func can(_ use: TokenKeyUse) -> Bool {
    switch use {
    case .signing:
      can(CK_MECHANISM_TYPE(CKM_EC_KEY_PAIR_GEN), CK_FLAGS(CKF_GENERATE_KEY_PAIR), bits: 256)
        && can(CK_MECHANISM_TYPE(CKM_ECDSA), CK_FLAGS(CKF_SIGN), bits: 256)
    case .agreement: can(CK_MECHANISM_TYPE(CKM_ECDH1_DERIVE), CK_FLAGS(CKF_DERIVE), bits: 256)
    case .decryption(let bits): can(CK_MECHANISM_TYPE(CKM_RSA_PKCS_OAEP), CK_FLAGS(CKF_DECRYPT), bits: CK_ULONG(bits))
    }
  }
}

extension TokenPublicKey {
  fileprivate var encoded: [UInt8] {
    switch self {
    case .curve(let key): return [1] + key.bytes
    case .rsa(let modulus, let exponent):
      var bytes: [UInt8] = [2]
      bytes.append(field: modulus)
      bytes.append(field: exponent)
      return bytes
    }
  }
}

extension ByteReader {
  fileprivate mutating func field() -> [UInt8]? { field(limit: TokenProtocol.maximumRequest) }
}
