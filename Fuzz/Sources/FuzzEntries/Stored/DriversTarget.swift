import Unlocking

extension FuzzTarget {
  /// What the process of a token's driver sends: answers to every request there is.
  static let drivers = FuzzTarget("drivers") { (bytes) throws(FuzzFault) in
    let taken = TokenAnswersInput.taken(bytes)
    try require(taken == 0 || bytes.count >= 5, "no answer is shorter than its header")
    try require(TokenAnswersInput.taken(bytes) == taken, "the same bytes are the same answers")
  }
}
