import Mnemonics
import OwnerAPI

extension OperationError {
  static let noSuchKit = notFound("There is no recovery kit of that number here.", hint: "See: holdfast recovery list")
  static let notInMemory = failed("There is not enough memory.", hint: "Close other programs, then try again.")

  /// A fault of shares, in words.
  init(_ error: ShareError) {
    switch error {
    case .outOfMemory, .library: self = .notInMemory
    case .share(let number, let fault):
      let (text, hint) = fault.sentence("Share \(number)")
      self.init(.failed, text, hint: hint)
    case .missing(let progress):
      self.init(.failed, "These shares are not enough: \(progress.missing) needed.", hint: "Give all of them together.")
    case .digest:
      self.init(
        .failed, "These shares do not belong together: one of them is forged or of an older kit.",
        hint: "With one share more, the wrong one can be named.")
    case .rivals(let sets):
      let names = sets.map { $0.map(String.init).joined(separator: ", ") }.joined(separator: " or ")
      self.init(
        .failed, "Several of these shares fit together and give different secrets: shares \(names). Some are forged.",
        hint: "Ask those who kept them, and give only the shares of people you trust.")
    case .tooManyShares(let limit), .tooManySets(let limit):
      self.init(
        .failed, "There are too many shares that do not fit: \(limit) is the most that is tried.",
        hint: "Give the shares of fewer people at a time.")
    case .plan(let fault): self.init(.usage, fault.sentence, hint: "For example: --threshold 3 --shares 5")
    case .passphraseCharacter(let position):
      self.init(
        .usage, "Character \(position) of the recovery code is none that it can have.",
        hint: "It has letters of the English alphabet, digits, signs and spaces only: the bytes of printable ASCII.")
    case .passphraseTooLong(let limit): self.init(.usage, "A recovery code has at most \(limit) characters.")
    case .secretLength, .exponent: self.init(.failed, "That cannot be split: \(error).")
    }
  }
}

extension SharePlanError {
  fileprivate var sentence: String {
    switch self {
    case .groupCount(0): "It is not said how many shares there shall be, and how many are needed."
    case .groupCount: "A kit has at most \(SharePlan.most) groups."
    case .groupThreshold: "The number of groups that are needed is 1 to the number of groups."
    case .memberCount: "A group has 1 to \(SharePlan.most) shares."
    case .memberThreshold: "The number of shares that are needed is 1 to the number of shares."
    case .copies: "When one share is enough there can be only one: copies of one share are no shares."
    }
  }
}
