package import Mnemonics
package import OwnerAPI

extension OperationError {
  package static let noSuchKit = notFound("There is no recovery kit with that number.", hint: "See: holdfast recovery list")
  package static let notInMemory = failed("There is not enough memory.", hint: "Close other programs, then try again.")

  /// An error of shares, as sentences.
  package init(_ error: ShareError) {
    switch error {
    case .outOfMemory, .library: self = .notInMemory
    case .share(let number, let fault):
      let (text, hint) = fault.sentence("Share \(number)")
      self.init(fault.isMalformed ? .usage : .failed, text, hint: hint)
    case .missing(let progress):
      self.init(.failed, "These shares are not enough. Still missing: \(progress.missing).", hint: "Give all shares together.")
    case .digest:
      self.init(
        .failed, "These shares do not belong together: one of them is forged or from an older kit.",
        hint: "Give one more share to find out which one is wrong.")
    case .rivals(let sets):
      let names = sets.map { $0.map(String.init).joined(separator: ", ") }.joined(separator: " or ")
      self.init(
        .failed, "Different groups of these shares fit together and give different secrets: shares \(names). Some are forged.",
        hint: "Ask the people who kept them, and give only shares of people you trust.")
    case .tooManyShares(let limit), .tooManySets(let limit):
      self.init(
        .failed, "Too many shares do not fit: at most \(limit) are tried.",
        hint: "Give the shares of fewer people at a time.")
    case .plan(let fault): self.init(.usage, fault.sentence, hint: "For example: --threshold 3 --shares 5")
    case .passphraseCharacter(let position):
      self.init(
        .usage, "Character \(position) of the recovery code is not allowed.",
        hint: "A recovery code has only English letters, digits, punctuation and spaces (printable ASCII).")
    case .passphraseTooLong(let limit): self.init(.usage, "A recovery code has at most \(limit) characters.")
    case .secretLength, .exponent: self.init(.failed, "The secret cannot be split: \(error).")
    }
  }
}

extension SharePlanError {
  fileprivate var sentence: String {
    switch self {
    case .groupCount(0): "The number of shares, or how many of them are needed, is missing."
    case .groupCount: "A kit has at most \(SharePlan.most) groups."
    case .groupThreshold: "The number of groups needed must be from 1 to the number of groups."
    case .memberCount: "A group has 1 to \(SharePlan.most) shares."
    case .memberThreshold: "The number of shares needed must be from 1 to the number of shares."
    case .copies: "If one share is enough, the kit can have only one share."
    }
  }
}
