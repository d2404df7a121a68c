import Ciphers
import Encodings
package import JSON
import Platform
import SecretMemory
import WebPush

/// What a listener's subscription consists of: the keys that pushes are encrypted to, and the secret part of its address.
///
/// They are in the file `wake.key`, in clear: the listener runs while the vault is closed. Whoever reads them can read where requests wait,
/// start wakes and, by a flood of them, keep others from starting.
package final class WakeKeys: Sendable {
  /// The first bytes of the file.
  private static let mark = Array("hfwake1\n".utf8)
  private static let authLength = 16
  /// Bytes of the secret part of the address.
  private static let pathLength = 24

  private let key: P256.PrivateKey
  private let auth: [UInt8]
  /// The last part of the address, base64url.
  let path: String

  private init(_ stored: borrowing SecretBytes) throws(WakeListeningError) {
    let scalar: SecretBytes
    do {
      (auth, path) = stored.withBytes { bytes in
        let rest = bytes[(Self.mark.count + P256.scalarLength)...]
        return (Array(rest.prefix(Self.authLength)), Base64URL.string(Array(rest.dropFirst(Self.authLength))))
      }
      scalar = try stored.withBytes { bytes in
        try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[Self.mark.count..<Self.mark.count + P256.scalarLength]))
      }
    } catch { throw .keysNotMade }
    do { key = try P256.PrivateKey(scalar) } catch { throw .keysMalformed }
  }

  /// The keys of a vault's folder; made when there are none.
  package static func ofVault(_ folder: String) throws(WakeListeningError) -> WakeKeys {
    if let known = try read(folder) { return known }
    try make(in: folder)
    guard let made = try read(folder) else { throw .io(code: ENOENT) }
    return made
  }

  /// What a signer registers at a push proxy: a Web Push subscription as `PushSubscription.toJSON()` gives it.
  /// - Parameter base: the public address of the listener, `https://…`, without the secret part.
  package func subscription(at base: String) -> JSONValue {
    [
      "endpoint": .string((base.hasSuffix("/") ? base : base + "/") + path),
      "keys": ["p256dh": .string(Base64URL.string(key.publicKey.bytes)), "auth": .string(Base64URL.string(auth))],
    ]
  }

  /// Whether a request's path ends with the secret part. What a reverse proxy has before it does not matter.
  func isOurs(_ requested: String) -> Bool {
    let last = requested.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? [][...]
    return Array(last).withUnsafeBytes { last in Array(path.utf8).withUnsafeBytes { constantTimeEqual(last, $0) } }
  }

  func decrypt(_ body: [UInt8]) throws(WebPushError) -> [UInt8] { try PushDecryption.decrypt(body, key: key, auth: auth) }

  // MARK: the file

  private static var length: Int { mark.count + P256.scalarLength + authLength + pathLength }

  private static func read(_ folder: String) throws(WakeListeningError) -> WakeKeys? {
    let file = open(folder + "/" + WakeFiles.keys, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      guard errno == ENOENT else { throw .io(code: errno) }
      return nil
    }
    defer { close(file) }
    var count = 0
    let stored: SecretBytes
    do {
      stored = try SecretBytes(
        count: length + 1, filling: { (target) throws(Never) in count = Platform.read(file, target.baseAddress, target.count) })
    } catch { throw .keysNotMade }
    guard count == length, stored.withBytes({ Array($0.prefix(mark.count)) == mark }) else { throw .keysMalformed }
    let whole: SecretBytes
    do {
      whole = try stored.withBytes { try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<length])) }
    } catch { throw .keysNotMade }
    return try WakeKeys(whole)
  }

  /// Keys that another process made meanwhile stay.
  private static func make(in folder: String) throws(WakeListeningError) {
    let scalar: P256.PrivateKey
    do { scalar = try P256.PrivateKey.random() } catch { throw .keysNotMade }
    var bytes = mark + scalar.withBytes { Array($0) } + SystemRandom.bytes(authLength + pathLength)
    defer { wipe(&bytes) }
    let new = folder + "/" + WakeFiles.newKeys
    try WakeFiles.write(bytes, to: new)
    defer { unlink(new) }
    guard link(new, folder + "/" + WakeFiles.keys) == 0 || errno == EEXIST else { throw .io(code: errno) }
    try WakeFiles.sync(folder)
  }
}
