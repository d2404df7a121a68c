internal import Mnemonics
internal import SecretMemory

/// Shares of a recovery kit, as a person hands them over.
enum Shares {
  /// What they give together.
  /// - Parameter lines: one share a line.
  static func secret(_ lines: SecretBox) throws(OperationFailure) -> SecretBox {
    do throws(ShareError) {
      return try lines.withBytes { text throws(ShareError) in
        var collection = ShareCollection()
        for line in text.split(separator: 0x0a) where line.contains(where: { $0 > 0x20 }) {
          let number = collection.count + 1
          let share: Share
          do throws(ShareFault) { share = try Share(words: UnsafeRawBufferPointer(rebasing: line)) } catch {
            throw .share(number, error)
          }
          try collection.add(share, at: number)
        }
        return SecretBox(try collection.secret())
      }
    } catch {
      switch error {
      case .share(let number, _): throw .failed("Share \(number) is damaged, or does not belong to the others.")
      case .missing: throw .failed("These shares are not enough.", hint: "See how many are needed: it stands on each.")
      default: throw .failed("These shares do not belong together.")
      }
    }
  }
}
