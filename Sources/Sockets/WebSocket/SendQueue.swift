/// Messages that wait to be sent, and the sum of their bytes.
struct SendQueue {
  private var messages: [[UInt8]] = []
  private var head = 0
  private(set) var bytes = 0

  var isEmpty: Bool { head == messages.count }
  var count: Int { messages.count - head }

  mutating func append(_ message: [UInt8]) {
    messages.append(message)
    bytes += message.count
  }

  mutating func next() -> [UInt8]? {
    guard head < messages.count else { return nil }
    let message = messages[head]
    messages[head] = []
    head += 1
    bytes -= message.count
    if head == messages.count {
      messages.removeAll(keepingCapacity: messages.capacity <= 64)
      head = 0
    } else if head >= 256 {
      messages.removeFirst(head)
      head = 0
    }
    return message
  }

  mutating func removeAll() { self = SendQueue() }
}
