import Curve
import EntrustedShares
import Signer
import Vault

/// What the person here sent away, and what a restore cannot know about: neither old envelopes, which relays keep, nor an older backup
/// bring it back.
extension GuardianBook {
  /// Removed kits that are remembered. Only the person here adds to them.
  static let mostRemoved = 1024

  /// Remembers that a share was removed.
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

  // MARK: requests that are not known any more

  /// Requests that were written up to this time are not taken, seconds since 1970: what was answered between a backup and its restore is
  /// not known, and what is forgotten with time shall not come back. `.min` while everything is known.
  func deafUntil(now: Int64) throws(VaultError) -> Int64 {
    guard let value = try vault.value(.setting, id: UntakenRequests.setting) else { return .min }
    let time = RecordedTime.seconds(value)
    guard time > now + Self.ahead else { return time }
    // The clock on the wall was ahead when it was noted: it is no reason to be deaf until then.
    try vault.transaction([UntakenRequests.change(until: now)])
    return now
  }
}
