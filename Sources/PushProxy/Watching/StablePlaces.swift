/// Groups of limited size for things that come and go. What stays keeps its group: a key or relay that moved would be subscribed for anew.
struct StablePlaces<Item: Hashable & Comparable> {
  private let capacity: Int
  private(set) var groups: [Set<Item>] = []

  /// - Parameter capacity: the most items of a group, at least 1.
  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Drops what is not in `items`, and finds places for what is new. Groups that became empty stay.
  mutating func arrange(_ items: Set<Item>) {
    for index in groups.indices { groups[index].formIntersection(items) }
    var index = 0
    for item in items.subtracting(groups.joined()).sorted() {
      while index < groups.count, groups[index].count >= capacity { index += 1 }
      if index == groups.count { groups.append([]) }
      groups[index].insert(item)
    }
  }
}
