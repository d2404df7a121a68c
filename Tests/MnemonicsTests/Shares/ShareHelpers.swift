import Mnemonics
import SecretMemory
import TestSupport

/// The secret of the shares, read and put together as a person would; faults with the share they are in.
func combined(_ shares: [String], passphrase: String? = nil) throws(ShareError) -> SecretBytes {
  let collection = try collected(shares)
  guard let passphrase, let text = try? secret(passphrase) else { return try collection.secret() }
  return try collection.secret(passphrase: text)
}

func collected(_ shares: [String]) throws(ShareError) -> ShareCollection {
  var collection = ShareCollection()
  for (index, words) in shares.enumerated() {
    let share: Share
    do throws(ShareTextError) { share = try read(words) } catch { throw .share(index + 1, error) }
    try collection.add(share, at: index + 1)
  }
  return collection
}

func read(_ words: String) throws(ShareTextError) -> Share {
  try Array(words.utf8).withUnsafeBufferPointer { (text) throws(ShareTextError) in try Share(words: UnsafeRawBufferPointer(text))
  }
}

/// A kit as lines of words, group after group.
func kit(
  _ value: borrowing SecretBytes, _ plan: SharePlan, passphrase: String? = nil, exponent: Int = 0, isExtendable: Bool = true
) throws -> [[String]] {
  let groups =
    if let passphrase {
      try SharedSecret.split(
        value, into: plan, passphrase: try secret(passphrase), exponent: exponent, isExtendable: isExtendable)
    } else {
      try SharedSecret.split(value, into: plan, exponent: exponent, isExtendable: isExtendable)
    }
  return try groups.map { try $0.map { try $0.words().text() } }
}
