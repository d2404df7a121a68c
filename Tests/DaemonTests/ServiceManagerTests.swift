import Testing

@testable import Daemon

/// The address that a service manager gives.
@Suite("Service manager") struct ServiceManagerTests {
  @Test(
    "An address that cannot be a socket's is passed over",
    arguments: ["", "/", "@", "relative", "vsock:2:1", "/" + String(repeating: "x", count: 107)])
  func wrongAddresses(address: String) { #expect(ServiceManager(socket: address, patience: nil) == nil) }

  @Test("A path and the name of an abstract socket are addresses", arguments: ["/run/notify", "@/org/notify"])
  func addresses(address: String) throws {
    let manager = try #require(ServiceManager(socket: address, patience: 1000))
    #expect(manager.patience == 1000)
    // Nobody listens there, which is no fault.
    manager.tell("READY=1")
  }
}
