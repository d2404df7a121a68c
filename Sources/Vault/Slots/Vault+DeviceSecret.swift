import Platform

extension Vault {
  /// Makes a new device secret, sealed by the machine's chip or not, and new keys for the classes of this device. Every record of
  /// these classes is sealed again. A kept copy of the old secret opens nothing that is in the vault from now on.
  ///
  /// The chip is used before the vault is blocked, and for as long as the sealer takes.
  /// - Parameter provenBy: one or more; together they open every class of this device that has records.
  /// - Throws: as `unlock(with:)`; `.vault` with `.deviceSealed` if the chip cannot seal it, `.otherDevice` if the classes belong
  ///   to another device, `.notEntitled` for a class that has records and that no shown credential opens. Nothing was changed
  ///   then.
  public func renewDeviceSecret(
    sealed: Bool, provenBy openers: [any SlotOpener], now: Int64
  ) throws(KeyStoreError) {
    var shown: [ProvenSlot] = []
    for opener in openers {
      _ = try attempt(opener, now) { _, proof throws(VaultError) in shown.append(proof.slot) }
    }
    let found = shown
    try withAnotherDeviceSecret(sealed: sealed) { (secret) throws(KeyStoreError) in
      try keyStoreFault { () throws(VaultError) in
        try attempting.withLock { () throws(VaultError) in
          try withOpen { open throws(VaultError) in try open.renewDeviceSecret(secret, shownBy: found) }
        }
      }
    }
  }

  /// Whether the device secret in a home is the one that its vault is bound to. Opens nothing of the vault and changes nothing. A
  /// sealed secret is opened by the chip and wiped.
  /// - Throws: `.io` if there is something with that name that cannot be read.
  public static func deviceBinding(
    home: String, to mark: DeviceMark, sealer: (any DeviceSealer)?
  ) throws(VaultError) -> DeviceBinding {
    let (folder, machine) = (HomeFolder(path: home), Machine.current(sealing: sealer))
    return DeviceBinding(try DeviceKeyFile(folder: folder, machine: machine).find(mark).0, machine)
  }

  /// Puts another secret on the disk, has the vault bound to it, and gives it its name. Killed in between, the vault has the old one
  /// or the new one, whichever its header is bound to.
  /// - Parameters:
  ///   - sealed: nil for where the chip can.
  ///   - body: binds the vault to it.
  func withAnotherDeviceSecret(
    sealed: Bool?, _ body: (DeviceSecret) throws(KeyStoreError) -> Void
  ) throws(KeyStoreError) {
    let (file, header, finding) = try keyStoreFault { () throws(VaultError) in
      try withOpen { open in (DeviceKeyFile(folder: open.folder, machine: open.machine), open.header, open.deviceFinding) }
    }
    let secret = try keyStoreFault { () throws(VaultError) in
      try file.finish(for: header)
      return if let sealed { try file.stage(sealed: sealed) } else { try file.stageWhereItCan() }
    }
    do throws(KeyStoreError) {
      try file.keepingForeign(finding) { () throws(KeyStoreError) in try body(secret) }
    } catch {
      file.dropNext()
      throw error
    }
    // The vault is bound to it. Where the name cannot be changed now, the next opening does it.
    try? file.takeNext()
  }
}

extension Vault.Open {
  fileprivate mutating func renewDeviceSecret(_ new: DeviceSecret, shownBy slots: [ProvenSlot]) throws(VaultError) {
    guard device != nil else { throw deviceFinding.fault.map { .deviceSealed($0) } ?? .otherDevice }
    let inUse = try table.classesInUse()
    var old = keys
    for slot in slots {
      guard let now = header.slot(slot.slot.id), now.generation == slot.slot.generation else { throw .noSuchSlot }
      old = old.merging(try ProvenSlot(now, slot.secret, of: header.vaultID).classKeys(of: header, device: device))
    }
    guard old.has(.whenUnlocked) else { throw .notEntitled(.whenUnlocked) }
    let header = header
    let classes = ProtectionClass.allCases.filter { $0.isThisDeviceOnly && header.isWrapped($0) }
    if let closed = classes.first(where: { inUse.contains($0) && !old.has($0) }) { throw .notEntitled(closed) }
    try onDevice(new) { open throws(VaultError) in
      try open.rekey(classes, old) { editor throws(VaultError) in try editor.rebind(to: new, classes) }
    }
  }

  /// Runs a change that binds the vault to another device secret; when it fails, the old one stays.
  mutating func onDevice(_ new: DeviceSecret, _ body: (inout Self) throws(VaultError) -> Void) throws(VaultError) {
    let before = deviceFinding
    deviceFinding = .found(new)
    do { try body(&self) } catch {
      deviceFinding = before
      throw error
    }
  }
}

extension DeviceBinding {
  init(_ finding: DeviceFinding, _ machine: Machine) {
    switch finding {
    case .nothing: self = .missing
    case .foreign: self = .elsewhere
    case .closed(let fault): self = .closed(fault)
    case .found(let secret):
      guard secret.isSealed, let sealer = machine.sealer else {
        self = .file
        return
      }
      self = .chip(place: sealer.place, isOfThisMachine: sealer.isOfThisMachine)
    }
  }
}
