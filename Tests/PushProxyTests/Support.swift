import APNs
import Curve
import Encodings
import Foundation
import Platform
import Sockets

@testable import PushProxy

/// A folder that is gone when its last owner is.
final class DataFolder: Sendable {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-push-\(UUID().uuidString)").path
  deinit { try? FileManager.default.removeItem(atPath: path) }

  var file: String { path + "/push.sqlite" }

  func bytes(_ suffix: String = "") throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: file + suffix))) }
  func write(_ bytes: [UInt8], _ suffix: String = "") throws { try Data(bytes).write(to: URL(fileURLWithPath: file + suffix)) }
  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path + name)[.posixPermissions] as? Int
  }

  /// What a kill at this moment would leave: the files as they are, in a folder of their own.
  func asKilled() throws -> DataFolder {
    let copy = DataFolder()
    try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
    for suffix in ["", "-wal"] { try copy.write(bytes(suffix), suffix) }
    return copy
  }
}

/// The n-th signer or client.
func numbered(_ number: Int) -> PublicKey {
  PublicKey(Bytes32 { $0.storeBytes(of: UInt64(number).bigEndian, as: UInt64.self) })
}

/// The n-th device.
func device(_ number: Int) throws -> PushTarget {
  let digits = String(number, radix: 16)
  return .apple(try DeviceToken(parsing: String(repeating: "0", count: 64 - digits.count) + digits))
}

func relay(_ text: String) throws -> WebSocketURL { try WebSocketURL(parsing: text) }

/// The name of the refusal, or nil when there was none.
func refused(_ body: () throws(ProxyRefusal) -> Void) -> ProxyRefusal? {
  do { try body() } catch { return error }
  return nil
}

/// Runs while files of this process cannot grow beyond so many bytes. Only in a process of its own.
func withFiles(below bytes: Int, _ body: () throws -> Void) throws {
  signal(SIGXFSZ, SIG_IGN)
  var old = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
  var small = rlimit(rlim_cur: rlim_t(bytes), rlim_max: old.rlim_max)
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small)
  defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old) }
  try body()
}
