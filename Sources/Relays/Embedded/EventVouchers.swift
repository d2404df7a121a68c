internal import Curve
internal import Sockets

/// Which connections count as an app's because one of its events came by them first.
///
/// Somebody who caught an app's event elsewhere can bring it, too. So each holder has one connection for an app, and a newer event takes
/// the place of the oldest: an app that is at work stays.
struct EventVouchers {
  private struct Voucher {
    let client: ObjectIdentifier
    let holder: Holder
    let createdAt: Int64
  }

  private var authors: [ObjectIdentifier: PublicKey] = [:]
  /// By author, the oldest event first.
  private var vouchers: [PublicKey: [Voucher]] = [:]

  /// Whose event the connection counts for.
  func author(of client: ObjectIdentifier) -> PublicKey? { authors[client] }

  /// The connections that count for an author.
  func clients(of author: PublicKey) -> [ObjectIdentifier] { vouchers[author]?.map(\.client) ?? [] }

  /// Counts a connection as the author's, unless all others came with newer events.
  /// - Parameters:
  ///   - createdAt: the time in the event, in seconds.
  ///   - most: connections that may count for one author.
  mutating func give(_ client: ObjectIdentifier, at holder: Holder, for author: PublicKey, createdAt: Int64, most: Int) {
    var held = vouchers[author] ?? []
    let replaced = held.firstIndex { $0.holder == holder } ?? (held.count >= most ? held.indices.first : nil)
    if let replaced {
      guard held[replaced].createdAt <= createdAt else { return }
      authors[held.remove(at: replaced).client] = nil
    }
    let place = held.firstIndex { $0.createdAt > createdAt } ?? held.endIndex
    held.insert(Voucher(client: client, holder: holder, createdAt: createdAt), at: place)
    vouchers[author] = held
    if authors[client] != author { takeAway(client) }
    authors[client] = author
  }

  /// The connection counts for nobody any more.
  mutating func takeAway(_ client: ObjectIdentifier) {
    guard let author = authors.removeValue(forKey: client) else { return }
    vouchers[author]?.removeAll { $0.client == client }
    if vouchers[author]?.isEmpty == true { vouchers[author] = nil }
  }
}
