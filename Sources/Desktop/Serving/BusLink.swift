import Platform

/// The connection of a `BusHost` and its reconnects, for the host's thread.
struct BusLink {
  /// The first pause after a failure, in milliseconds. It doubles each time.
  private static let firstPause: Int32 = 1_000
  private static let longestPause: Int32 = 60_000
  /// The most messages that are read before the host's own steps are done: another program may send without end.
  private static let mostAtOnce = 256
  /// How long the bus may take for the answers that begin a connection, in microseconds.
  private static let patience: UInt64 = 3_000_000

  private let host: BusHost
  private let waker: Int32
  private var bus: SessionBus?
  private var pause: Int32 = 0
  /// The calls that were not answered yet.
  private var calls: [UInt64: (sender: String, message: BusMessage)] = [:]
  private var lastCall: UInt64 = 0
  /// Who waits for the answers to calls of this connection.
  private var asked: [UInt64: @Sendable (BusAnswer) -> Void] = [:]

  init(_ host: BusHost, waker: Int32) { (self.host, self.waker) = (host, waker) }

  /// Does everything that is possible now.
  /// - Returns: the longest time to wait, in milliseconds; negative to wait for an event.
  mutating func turn(steps: () -> [BusHost.Step]) -> Int32 {
    drainWaker()
    do throws(BusError) {
      let bus = try connected()
      pause = 0
      var isMore = false
      // Again after steps: a message may have come while they were sent, and causes no event then.
      var next = steps()
      repeat {
        for step in next { try carryOut(step, bus) }
        isMore = try receive(bus)
        next = steps()
      } while !next.isEmpty && !isMore
      for step in next { try carryOut(step, bus) }
      return isMore ? 0 : -1
    } catch {
      end()
      _ = steps()  // meant for the connection that has ended
      pause = pause == 0 ? Self.firstPause : min(pause * 2, Self.longestPause)
      return pause
    }
  }

  func wait(milliseconds: Int32) {
    if let bus { return bus.wait(milliseconds: milliseconds, waker: waker) }
    var descriptor = pollfd(fd: waker, events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, milliseconds)
  }

  /// Leaves the bus.
  mutating func end() {
    guard bus != nil else { return }
    (calls, asked, bus) = ([:], [:], nil)
    host.hooks.disconnected()
  }

  private mutating func connected() throws(BusError) -> SessionBus {
    if let bus { return bus }
    let bus = try SessionBus(servingWithin: Self.patience)
    if let name = host.name {
      // Without flags: in line for it, behind a program that has it.
      _ = try bus.call(.bus, "RequestName") { $0.add(name) && $0.add(UInt32(0)) }
    } else {
      _ = try bus.call(.bus, "GetId")
    }
    self.bus = bus
    host.hooks.connected()
    return bus
  }

  private mutating func carryOut(_ step: BusHost.Step, _ bus: SessionBus) throws(BusError) {
    switch step {
    case .answer(let number, let answer):
      guard let call = calls.removeValue(forKey: number) else { return }
      try bus.send(answer, to: call.message)
    case .forget(let sender): calls = calls.filter { $0.value.sender != sender }
    case .call(let party, let member, let values, let then): asked[try bus.send(party, member, values)] = then
    case .signal(let path, let interface, let member, let values): try bus.sendSignal(path, interface, member, values)
    }
  }

  /// - Returns: whether there may be more.
  private mutating func receive(_ bus: SessionBus) throws(BusError) -> Bool {
    for _ in 0..<Self.mostAtOnce {
      guard let message = try bus.next() else { return false }
      switch message.kind {
      case .call: try called(message, bus)
      case .answer: wasAnswered(message) { .success(message.values() ?? []) }
      case .error: wasAnswered(message) { .failure(.gone) }
      case .signal: heard(message)
      case nil: break
      }
    }
    return true
  }

  private mutating func called(_ message: BusMessage, _ bus: SessionBus) throws(BusError) {
    // Who expects no answer cannot get any use of a call.
    guard message.expectsAnswer, let sender = message.sender, let member = message.member else { return }
    guard let object = host.objects.first(where: { $0.path == message.path }) else {
      return try bus.send(withoutObject(message.path ?? "", member), to: message)
    }
    guard let (interface, method) = object.method(of: message.interface, member) else {
      return try bus.send(.failure(.noMethod), to: message)
    }
    guard message.signature == method.signature else { return try bus.send(.failure(.wrongTypes), to: message) }
    guard let values = message.values() else { return try bus.send(.failure(.tooLarge), to: message) }
    lastCall += 1
    let call = BusCall(number: lastCall, sender: sender, interface: interface, member: member, values: values)
    if let answer = object.standardAnswer(call) { return try bus.send(answer, to: message) }
    calls[lastCall] = (sender, message)
    object.call(call)
  }

  private func withoutObject(_ path: String, _ member: String) -> BusAnswer {
    guard member == "Introspect", let found = BusObject.introspection(of: path, above: host.objects) else {
      return .failure(.noObject)
    }
    return .success([.text(found)])
  }

  private mutating func wasAnswered(_ message: BusMessage, _ answer: () -> BusAnswer) {
    guard let cookie = message.answered, let then = asked.removeValue(forKey: cookie) else { return }
    then(answer())
  }

  private func heard(_ message: BusMessage) {
    guard let sender = message.sender, let interface = message.interface, let member = message.member else { return }
    host.hooks.signal(BusSignal(sender: sender, interface: interface, member: member, values: message.values() ?? []))
  }

  private func drainWaker() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(waker, &bytes, bytes.count) > 0 {}
  }
}
