import Curve
import Sockets

/// Which connections count as an app's because they were the first to send one of its events.
///
/// Somebody who caught an app's event elsewhere can send it here, too. Therefore each holder has one connection for an app, and a
/// connection with a newer event replaces the one with the oldest. An active app keeps its connection.
struct EventVouchers {
  private struct Voucher {
    let client: ObjectIdentifier
    let holder: Holder
    let createdAt: Int64
  }

  private var authors: [ObjectIdentifier: PublicKey] = [:]
  /// By author, oldest event first.
  private var vouchers: [PublicKey: [Voucher]] = [:]

  /// The author that the connection counts for.
  func author(of client: ObjectIdentifier) -> PublicKey? { authors[client] }

  /// The connections that count for an author.
  func clients(of author: PublicKey) -> [ObjectIdentifier] { vouchers[author]?.map(\.client) ?? [] }

  /// Counts a connection for the author, unless all counted connections sent newer events.
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

  /// Stops counting the connection for any author.
  mutating func takeAway(_ client: ObjectIdentifier) {
    guard let author = authors.removeValue(forKey: client) else { return }
    vouchers[author]?.removeAll { $0.client == client }
    if vouchers[author]?.isEmpty == true { vouchers[author] = nil }
  }
}
