import Encodings

// The record of kind 31, for docs/FORMATS.md. Id: empty. Class: whenUnlocked. Value: 1 (1) · classes held back: 1 for
// biometricRequired, 2 for its twin of this device, 3 for both (1) · the set of fingers.

/// The fingers that `biometricRequired` was enrolled with. Sealed like every record: somebody who has only the file can neither
/// read nor make one.
struct FingerprintRecord: Equatable {
  var set: FingerprintEnrolment
  /// Classes that are closed, though their keys are still wrapped for the passkeys: there is nowhere else they are.
  var held: Set<ProtectionClass> = []

  init(_ set: FingerprintEnrolment) { self.set = set }

  var bytes: [UInt8] {
    let marks = HeaderEditor.enrolledClasses.enumerated().filter { held.contains($0.element) }
    return [1, marks.reduce(0) { $0 | 1 << UInt8($1.offset) }] + set.bytes
  }

  /// - Throws: `.corrupt`.
  init(_ bytes: [UInt8]) throws(VaultError) {
    var reader = ByteReader(bytes[...])
    guard reader.byte() == 1, let marks = reader.byte(), marks <= 3, let set = FingerprintEnrolment(from: &reader), reader.isAtEnd
    else {
      throw .corrupt(what: RecordKind.fingerSet.name)
    }
    self.set = set
    held = Set(HeaderEditor.enrolledClasses.enumerated().filter { marks & (1 << UInt8($0.offset)) != 0 }.map(\.element))
  }
}
