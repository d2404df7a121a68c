import JSON

/// What the owner wants: this device registered at this proxy, for every app. One record of the vault.
package struct PushPlan: Sendable, Hashable {
  package let proxy: ProxyAddress
  package let device: PushDevice
  /// Seconds since 1970.
  package let since: Int64

  package init(proxy: ProxyAddress, device: PushDevice, since: Int64) {
    (self.proxy, self.device, self.since) = (proxy, device, since)
  }

  /// - Returns: nil for bytes that another program, or a newer version, wrote.
  init?(record: [UInt8]) {
    guard let value = try? JSONValue(parsing: record), let since = value["since"]?.integer, let token = value["device"],
      let proxy = value["proxy"]?.string.flatMap({ try? ProxyAddress(parsing: $0) }), let device = try? PushDevice(token)
    else { return nil }
    self.init(proxy: proxy, device: device, since: since)
  }

  /// For the vault.
  var record: [UInt8] {
    JSONValue.object([
      .init("proxy", .string(proxy.text)), .init("device", device.token), .init("since", .integer(since)),
    ]).serialized()
  }
}
