import CTPM
import Platform
public import SecretMemory
public import Vault

/// The TPM 2.0 of this machine, which seals the secret that binds keys to the device.
///
/// The secret is a sealed object under the storage key that the TPM derives from its owner seed. It has no password, because a
/// signer that starts automatically has nobody to ask. It has no policy on the boot state (PCR), because each new kernel or
/// firmware would then lock the owner out. Its protection is this: the file is useless without this TPM. Somebody who is root on
/// this machine can have it unsealed.
public final class TPMSealer: DeviceSealer {
  /// The environment variable that names another TPM, or none.
  public static let variable = "HOLDFAST_TPM"
  /// The time limit for one seal or unseal, in milliseconds. A hardware TPM needs up to two seconds.
  public static let usualMilliseconds = 8_000

  private let reached: TPMPlace
  private let milliseconds: Int
  private let calls = TimeLimit("waiting for the TPM")

  init(_ reached: TPMPlace, milliseconds: Int = usualMilliseconds) { (self.reached, self.milliseconds) = (reached, milliseconds) }

  /// - Parameter text: `device:/dev/tpm…` or `swtpm:…`, as in `HOLDFAST_TPM`.
  /// - Returns: nil for any other text.
  public convenience init?(_ text: String, milliseconds: Int = usualMilliseconds) {
    guard let place = TPMPlace(text) else { return nil }
    self.init(place, milliseconds: milliseconds)
  }

  /// The TPM that the environment names (`HOLDFAST_TPM`; `none` for none). If the variable is not set, the machine's TPM, if it
  /// has one. If the name cannot be read, a sealer that refuses every call with `.misnamed`.
  public static func here() -> TPMSealer? {
    if let text = getenv(variable), text[0] != 0 { return named(String(cString: text)) }
    return access(TPMPlace.usual.configuration, F_OK) == 0 ? TPMSealer(.usual) : nil
  }

  static func named(_ text: String) -> TPMSealer? { text == "none" ? nil : TPMSealer(text) ?? TPMSealer(.unreadable) }

  // MARK: DeviceSealer

  /// The TPM's name for people.
  public var place: String { reached.text }

  /// Whether it is a device of the kernel.
  public var isOfThisMachine: Bool { if case .device = reached { true } else { false } }

  /// Whether its name cannot be read. Every call then throws `.misnamed`.
  public var isMisnamed: Bool { reached == .unreadable }

  /// Whether this user may use it. Does not contact the TPM.
  public var isPermitted: Bool { (try? checkAccess()) != nil }

  /// Seals 32 bytes.
  public func seal(_ secret: SecretBox) throws(DeviceSealError) -> [UInt8] {
    let (library, configuration) = (try ready(), reached.configuration)
    return try limited { () throws(DeviceSealError) in
      var sealed = holdfast_tpm_sealed()
      let code = secret.withBytes { bytes -> UInt32 in
        guard bytes.count == HOLDFAST_TPM_SECRET, let base = bytes.bindMemory(to: UInt8.self).baseAddress else {
          return UInt32(HOLDFAST_TPM_UNEXPECTED)
        }
        return library.seal(configuration, base, &sealed)
      }
      guard code == 0 else { throw Self.fault(code) }
      return TPMBlob(sealed).bytes
    }
  }

  /// Unseals what `seal` returned.
  public func unseal(_ sealed: [UInt8]) throws(DeviceSealError) -> SecretBytes {
    let blob = try TPMBlob(parsing: sealed)
    let (library, configuration) = (try ready(), reached.configuration)
    let box = try limited { () throws(DeviceSealError) in
      do throws(SecretBytesError<DeviceSealError>) {
        return SecretBox(
          try SecretBytes(count: HOLDFAST_TPM_SECRET) { (target) throws(DeviceSealError) in
            var raw = blob.raw
            guard let base = target.bindMemory(to: UInt8.self).baseAddress else { throw .refused(code: 0) }
            let code = library.unseal(configuration, &raw, base)
            guard code == 0 else { throw Self.fault(code) }
          })
      } catch {
        if case .filling(let fault) = error { throw fault }
        throw .refused(code: 0)
      }
    }
    do { return try box.duplicate() } catch { throw .refused(code: 0) }
  }

  // MARK: what may go wrong

  private func ready() throws(DeviceSealError) -> TPMLibrary {
    try checkAccess()
    guard let library = TPMLibrary.library(for: reached) else { throw .noLibrary }
    return library
  }

  private func checkAccess() throws(DeviceSealError) {
    guard reached != .unreadable else { throw .misnamed }
    guard let path = reached.path, access(path, R_OK | W_OK) != 0 else { return }
    switch errno {
    case ENOENT, ENOTDIR, ENXIO, ENODEV: throw .noChip
    case EACCES, EPERM: throw .notPermitted
    default: throw .brokenOff(code: UInt32(errno))  // errno is above 0
    }
  }

  private func limited<Result: Sendable>(
    _ body: @escaping @Sendable () throws(DeviceSealError) -> Result
  ) throws(DeviceSealError) -> Result {
    let outcome: Swift.Result<Result, DeviceSealError>
    do throws(KeyStoreError) {
      outcome = try calls.run(milliseconds: milliseconds) { () throws(KeyStoreError) in
        do throws(DeviceSealError) { return .success(try body()) } catch { return .failure(error) }
      }
    } catch { throw .noAnswer }
    return try outcome.get()
  }

  /// - Parameter code: not 0.
  private static func fault(_ code: UInt32) -> DeviceSealError {
    switch code {
    case UInt32(HOLDFAST_TPM_OTHER_PARENT): .anotherChip
    // An error of the connection. Its device or socket was there a moment ago, so it does not show that the TPM is gone.
    case let code where code >> 16 & 0xff == tctiLayer: .brokenOff(code: code)
    default: .refused(code: code)
    }
  }

  private static let tctiLayer: UInt32 = 0x0a
}
