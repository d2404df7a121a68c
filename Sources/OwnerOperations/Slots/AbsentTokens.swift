import OwnerAPI
import OwnerWords
import Unlocking
import Vault

extension Operations {
  /// The tokens that were missing while another slot opened the vault; nil if none was missing.
  func absences(_ opener: any SlotOpener) -> [AbsentToken]? {
    guard let absences = (opener as? TokenOpener)?.absences, !absences.isEmpty else { return nil }
    return absences.map { absence in
      var absent = AbsentToken()
      (absent.slot, absent.token, absent.reason) = (Int64(absence.slot), absence.token.name, absence.sentence)
      return absent
    }
  }
}
