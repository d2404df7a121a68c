/// What a request is called where its method and kind do not say enough. The log stores the number, so a number is never used again for
/// something else. None of them holds anything that the request says.
public enum RequestHeading: UInt8, Sendable, CaseIterable {
  /// A reaction that likes a post, or dislikes it.
  case like = 1
  case dislike = 2
  /// A profile that changes where payments to its owner go.
  case payee = 3
  /// An encryption for the identity itself, and the decryption of what it encrypted so.
  case forSelf = 4
  case ofSelf = 5
  /// A login at a website or a relay that it does not name.
  case unnamedSite = 6
  case unnamedRelay = 7
  /// A login to file servers that allows deleting files.
  case fileDeletion = 8
  /// A profile, or a follow list, that is the same as the last one that was signed here.
  case sameProfile = 9
  case sameFollows = 10
  /// A list with nothing in it, in the place of the one so far.
  case emptiedList = 11
  /// An event by which others are paid, or that is dated ahead. It is called by its kind.
  case paysOthers = 12
  case datedAhead = 13
  /// A follow list that adds to the last one that was signed here, and a profile that keeps each of its fields and where payments go. They
  /// are called by their kind.
  case addedFollows = 14
  case keptProfile = 15
}
