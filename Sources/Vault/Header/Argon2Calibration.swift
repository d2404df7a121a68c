public import Ciphers
import Platform
import SecretMemory

/// Finds the Argon2id cost that takes about a given time on this machine.
public enum Argon2Calibration {
  /// Measures one short run (about half a second at 256 MiB) and chooses the passes so that a run takes about the target.
  ///
  /// On a machine that cannot give the memory, or where two passes over it already take more than twice the target, the memory
  /// is halved, down to the floor of 19 MiB.
  /// - Parameters:
  ///   - targetMilliseconds: wanted time of one unlock.
  ///   - memory: in bytes.
  public static func cost(targetMilliseconds: Int = 700, memory: Int = 256 << 20) -> Argon2id.Cost {
    var memory = min(max(memory, Argon2id.Cost.floor.memory), Argon2id.Cost.ceiling.memory)
    while let cost = try? Argon2id.Cost(memory: memory, passes: 2) {
      let smaller = max(memory / 2, Argon2id.Cost.floor.memory)
      if let time = microseconds(cost), time <= targetMilliseconds * 2000 || smaller == memory {
        let passes = targetMilliseconds * 2000 / max(time, 1)
        return (try? Argon2id.Cost(memory: memory, passes: max(2, min(passes, usualWork / memory)))) ?? .floor
      }
      guard smaller < memory else { break }
      memory = smaller
    }
    return .floor
  }

  /// The most memory times passes that is chosen, in bytes. All slots of a vault together may have sixteen times as much.
  private static let usualWork = 2 << 30

  private static func microseconds(_ cost: Argon2id.Cost) -> Int? {
    let start = Clock.monotonicMicroseconds
    let password: [UInt8] = Array("calibration".utf8)
    let salt = [UInt8](repeating: 0, count: Argon2id.saltLength)
    let isDone = password.withUnsafeBytes { (try? Argon2id.key(password: $0, salt: salt, cost: cost, count: 32)) != nil }
    return isDone ? Int(Clock.monotonicMicroseconds - start) : nil
  }
}

extension Argon2id.Cost {
  /// 64 MiB, two passes: about 0.1 s.
  public static let interactive = (try? Argon2id.Cost(memory: 64 << 20, passes: 2)) ?? .floor
}
