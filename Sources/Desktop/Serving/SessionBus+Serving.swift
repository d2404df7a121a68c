import CSystemd

extension SessionBus {
  /// Sends a call.
  /// - Returns: what the answer refers to.
  func send(_ party: Party, _ member: String, _ values: [BusValue]) throws(BusError) -> UInt64 {
    try send(values) { raw in
      library.functions.message_new_method_call(bus, &raw, party.name, party.path, party.interface, member)
    }
  }

  func sendSignal(_ path: String, _ interface: String, _ member: String, _ values: [BusValue]) throws(BusError) {
    _ = try send(values) { raw in library.functions.message_new_signal(bus, &raw, path, interface, member) }
  }

  /// Answers a call. An answer that the bus does not carry becomes an error.
  func send(_ answer: BusAnswer, to call: BusMessage) throws(BusError) {
    switch answer {
    case .success(let values):
      do throws(BusError) {
        _ = try send(values) { raw in library.functions.message_new_method_return(call.raw, &raw) }
      } catch {
        guard error == .refused else { throw error }
        try send(.failure(.notCarried), to: call)
      }
    case .failure(let fault): try send(fault, to: call)
    }
  }

  private func send(_ fault: BusFault, to call: BusMessage) throws(BusError) {
    _ = try send([]) { raw in
      fault.name.withCString { name in
        fault.message.withCString { message in
          var error = sd_bus_error(name: name, message: message, _need_free: 0)
          return library.functions.message_new_method_error(call.raw, &raw, &error)
        }
      }
    }
  }

  private func send(_ values: [BusValue], _ make: (inout OpaquePointer?) -> Int32) throws(BusError) -> UInt64 {
    var (raw, cookie) = (OpaquePointer?.none, UInt64(0))
    guard make(&raw) >= 0, let raw else { throw .closed }
    let message = BusMessage(raw, library)
    guard values.allSatisfy(message.add) else { throw .refused }
    guard library.functions.send(bus, message.raw, &cookie) >= 0 else { throw .closed }
    return cookie
  }
}

extension BusMessage {
  /// The kinds of messages (D-Bus Specification, "Message Protocol").
  enum Kind: UInt8 { case call = 1, answer, error, signal }

  var kind: Kind? {
    var type: UInt8 = 0
    return library.functions.message_get_type(raw, &type) >= 0 ? Kind(rawValue: type) : nil
  }

  /// Which call an answer or error is to.
  var answered: UInt64? {
    var cookie: UInt64 = 0
    return library.functions.message_get_reply_cookie(raw, &cookie) >= 0 ? cookie : nil
  }

  var expectsAnswer: Bool { library.functions.message_get_expect_reply(raw) > 0 }
  var path: String? { library.functions.message_get_path(raw).map { String(cString: $0) } }
  var interface: String? { library.functions.message_get_interface(raw).map { String(cString: $0) } }
  var member: String? { library.functions.message_get_member(raw).map { String(cString: $0) } }
  var signature: String { library.functions.message_get_signature(raw, 1).map { String(cString: $0) } ?? "" }
}
