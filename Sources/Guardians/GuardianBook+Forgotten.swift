import Curve
import EntrustedShares
import Signer
import Vault

/// What the person here removed, and what a restore cannot know. Neither old envelopes, which relays keep, nor an older backup
/// bring it back.
extension GuardianBook {
  /// The most removed kits that are remembered. Only the person here adds to them.
  static let mostRemoved = 1024

  /// The changes that record the removal of a share.
  /// - Parameter now: seconds since 1970.
  func remembering(removalOf note: EntrustedShare, now: Int64) throws(VaultError) -> [RecordChange] {
    let entry = RevocationList.Entry(
      key: RemovedShares.hash(of: note), time: now * 1000, ending: PairingEnding.shareRemoved.rawValue)
    return [RemovedShares.record(of: note, at: now), Revocations.change(entry)] + (try forgettingOldest())
  }

  private func forgettingOldest() throws(VaultError) -> [RecordChange] {
    let removed = try vault.records(.guardian).filter { RemovedShares.contains($0.id) }
    guard removed.count >= Self.mostRemoved,
      let oldest = removed.min(by: { RecordedTime.seconds($0.value) < RecordedTime.seconds($1.value) })
    else { return [] }
    return [.delete(kind: .guardian, id: oldest.id)]
  }

  /// When the person here removed a share of this kit and owner, seconds since 1970; nil when never.
  func removed(_ owner: PublicKey, _ identity: PublicKey, _ kit: String) throws(VaultError) -> Int64? {
    try vault.value(.guardian, id: RemovedShares.id(owner, identity, kit)).map(RecordedTime.seconds)
  }

  // MARK: requests that are no longer known

  /// Requests written up to this time, in seconds since 1970, are not taken. What was answered between a backup and its restore
  /// is not known, and what was forgotten for its age must not come back. `.min` while everything is known.
  func deafUntil(now: Int64) throws(VaultError) -> Int64 {
    guard let value = try vault.value(.setting, id: UntakenRequests.setting) else { return .min }
    let time = RecordedTime.seconds(value)
    guard time > now + Self.ahead else { return time }
    // The wall clock was ahead when this was stored. That is no reason to ignore requests until then.
    try vault.transaction([UntakenRequests.change(until: now)])
    return now
  }
}
