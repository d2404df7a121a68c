import Encodings
import Platform
import SecretMemory

/// What is found at the device secret's path.
enum DeviceFinding {
  case found(DeviceSecret)
  /// No file.
  case nothing
  /// A file that is not what the vault is bound to: the secret of another, or none at all.
  case foreign
  /// A sealed one that does not open.
  case closed(DeviceSealError)

  var secret: DeviceSecret? { if case .found(let secret) = self { secret } else { nil } }
  var fault: DeviceSealError? { if case .closed(let fault) = self { fault } else { nil } }
}

/// The files of the device secret: `device.key`, and `device.key.new` from the moment another secret is made until the header that
/// is bound to it is on the disk and the file has its name.
struct DeviceKeyFile {
  let folder: HomeFolder
  let machine: Machine

  // MARK: at an opening

  /// Finds the secret that the header is bound to, and makes one where the vault is bound to none yet.
  func secret(for header: VaultHeader) throws(VaultError) -> DeviceFinding {
    guard let mark = header.deviceMark else { return .found(try makeFirst()) }
    let (finding, isNext) = try find(mark)
    if isNext {
      try takeNext()
    } else if case .found = finding {
      unlink(folder.nextDeviceKey)  // left by a crash before the header was changed
    }
    return finding
  }

  /// Finds the secret that a vault is bound to. Changes nothing.
  /// - Returns: what was found, and whether it still waits for its name.
  func find(_ mark: DeviceMark) throws(VaultError) -> (DeviceFinding, isNext: Bool) {
    let there = try look(folder.deviceKey)
    if let secret = there.secret, secret.binds(mark) { return (there, false) }
    let next = try look(folder.nextDeviceKey)
    if let secret = next.secret, secret.binds(mark) { return (next, true) }
    if let fault = there.fault ?? next.fault { return (.closed(fault), false) }
    if case .nothing = there { return (.nothing, false) }
    return (.foreign, false)
  }

  /// Makes a secret for a vault that is not bound yet. It is on the disk when this returns.
  ///
  /// An existing file there is never used, since nobody knows who put it there and who else has it. It may be the only secret of
  /// a vault that was moved away, so it is kept under another name.
  /// - Throws: `.io`, `.deviceSealed` when it is not known which chip is meant.
  func makeFirst() throws(VaultError) -> DeviceSecret {
    for path in [folder.deviceKey, folder.nextDeviceKey] where HomeFolder.exists(path) { try setAside(path) }
    return try make()
  }

  /// Moves a file out of the way, to the first free one of the names for kept device secrets.
  /// - Returns: its path now.
  @discardableResult
  private func setAside(_ path: String) throws(VaultError) -> String {
    guard let name = HomeFolder.keptDeviceKeys.first(where: { !HomeFolder.exists(folder.path + "/" + $0) }) else {
      throw .io("keeping a device secret", code: EEXIST)
    }
    guard rename(path, folder.path + "/" + name) == 0 else { throw .io("keeping a device secret", code: errno) }
    try HomeFolder.sync(folder.path)
    return folder.path + "/" + name
  }

  /// Binds a vault to another secret, and keeps an existing one that is not the vault's, because it may be the only one of
  /// another vault. If this fails, the existing one gets its name back.
  func keepingForeign(
    _ finding: DeviceFinding, while body: () throws(KeyStoreError) -> Void
  ) throws(KeyStoreError) {
    guard case .foreign = finding, HomeFolder.exists(folder.deviceKey) else { return try body() }
    let kept = try keyStoreFault { () throws(VaultError) in try setAside(folder.deviceKey) }
    do throws(KeyStoreError) { try body() } catch {
      rename(kept, folder.deviceKey)
      throw error
    }
  }

  /// Reads a file, and has the chip open it.
  func look(_ path: String) throws(VaultError) -> DeviceFinding {
    guard HomeFolder.exists(path) else { return .nothing }
    var bytes = try HomeFolder.read(path, count: SealedDeviceKey.maximumLength + 1)
    defer { wipe(&bytes) }
    if SealedDeviceKey.isOne(bytes) {
      do throws(DeviceSealError) {
        let contents = try SealedDeviceKey.contents(of: bytes)
        guard let sealer = machine.sealer else { throw .noChip }
        return .found(try opened(try sealer.unseal(contents)))
      } catch { return .closed(error) }
    }
    guard bytes.count == DeviceSecret.length else { return .foreign }
    let secret = try vaultFault(.outOfMemory) { try SecretBytes(wiping: &bytes) }
    return .found(try DeviceSecret(secret, on: machine, isSealed: false))
  }

  private func opened(_ secret: borrowing SecretBytes) throws(DeviceSealError) -> DeviceSecret {
    guard secret.count == DeviceSecret.length else { throw .damaged }
    do { return try DeviceSecret(secret, on: machine, isSealed: true) } catch { throw .refused(code: 0) }
  }

  // MARK: a new secret

  private func make() throws(VaultError) -> DeviceSecret {
    let secret = try stageWhereItCan()
    try takeNext()
    return secret
  }

  /// As `stage`: sealed if there is a chip that works, otherwise plain. If it is not known which chip is meant, nothing is made.
  func stageWhereItCan() throws(VaultError) -> DeviceSecret {
    guard machine.sealer != nil else { return try stage(sealed: false) }
    do { return try stage(sealed: true) } catch {
      guard case .deviceSealed(let fault) = error, fault != .misnamed else { throw error }
      return try stage(sealed: false)
    }
  }

  /// Makes another secret and puts it on the disk beside the one there is; one that is to be sealed was opened by the chip again.
  ///
  /// Asks the chip, which takes a while: not to be called under a lock.
  /// - Throws: `.deviceSealed`, `.io`; nothing is left behind then.
  func stage(sealed: Bool) throws(VaultError) -> DeviceSecret {
    let path = folder.nextDeviceKey
    unlink(path)  // left by a crash
    do throws(VaultError) {
      let secret = try vaultFault(.outOfMemory) { SecretBox(try SecretBytes(randomCount: DeviceSecret.length)) }
      var bytes = sealed ? try seal(secret) : secret.withBytes { Array($0) }
      defer { wipe(&bytes) }
      try HomeFolder.makeFile(path, holding: bytes)
      try HomeFolder.sync(folder.path)
      return try checked(secret, sealed: sealed)
    } catch {
      unlink(path)
      throw error
    }
  }

  private func seal(_ secret: SecretBox) throws(VaultError) -> [UInt8] {
    do throws(DeviceSealError) {
      guard let sealer = machine.sealer else { throw .noChip }
      guard let file = SealedDeviceKey.framed(try sealer.seal(secret)) else { throw .damaged }
      return file
    } catch { throw .deviceSealed(error) }
  }

  /// Reads back what was written.
  private func checked(_ secret: SecretBox, sealed: Bool) throws(VaultError) -> DeviceSecret {
    let copy = try vaultFault(.outOfMemory) { try secret.duplicate() }
    let wanted = try DeviceSecret(copy, on: machine, isSealed: sealed)
    switch try look(folder.nextDeviceKey) {
    case .found(let found) where found.isSealed == sealed && found.tag(vaultID: []) == wanted.tag(vaultID: []): return found
    case .closed(let fault): throw .deviceSealed(fault)
    default: throw .io("reading the device secret back", code: EIO)
    }
  }

  /// Gives the new secret the name of the old one, and overwrites the old one's bytes. Copies that the disk keeps of them elsewhere stay.
  /// A file with a second name (a hard link) is not overwritten: it may be any file of the owner's.
  func takeNext() throws(VaultError) {
    // Nobody waits for who would read from a pipe of that name.
    let old = open(folder.deviceKey, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    defer { if old >= 0 { close(old) } }
    guard rename(folder.nextDeviceKey, folder.deviceKey) == 0 else { throw .io("renaming the device secret", code: errno) }
    try HomeFolder.sync(folder.path)
    // Its one name is the new secret's by now.
    guard old >= 0, HomeFolder.isPlain(old, names: 0) else { return }
    let zeros = [UInt8](repeating: 0, count: DeviceSecret.length)
    // A courtesy: the old secret binds nothing any more.
    if pwrite(old, zeros, zeros.count, 0) == zeros.count { fsync(old) }
  }

  /// Takes what was staged before and the header is bound to, before anything else is staged in its place.
  /// - Throws: `.io`, and `.deviceSealed` where the chip does not say which of the two it is: removing either could lose the keys.
  func finish(for header: VaultHeader) throws(VaultError) {
    guard HomeFolder.exists(folder.nextDeviceKey), let mark = header.deviceMark else { return }
    guard try look(folder.deviceKey).secret?.binds(mark) != true else { return }
    switch try look(folder.nextDeviceKey) {
    case .found(let next) where next.binds(mark): try takeNext()
    case .closed(let fault): throw .deviceSealed(fault)
    default: break
    }
  }

  /// Takes back what was staged.
  func dropNext() { unlink(folder.nextDeviceKey) }
}
