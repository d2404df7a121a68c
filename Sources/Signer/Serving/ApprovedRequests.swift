package import AuditLog
import Encodings
import Platform

/// What became of the last requests that the owner approved. It is kept in memory only, for whoever approved them a moment ago.
package final class ApprovedRequests: Sendable {
  /// How far a request got.
  package enum Course: Sendable, Equatable {
    /// It is not carried out yet.
    case underWay
    /// It is carried out, and the app's answer is on its way.
    case done
    /// A relay, or the program on this machine, took the answer.
    case delivered
    /// No relay took the answer.
    case undelivered
    /// The signer could not do it. The app was told.
    case failed(AuditErrorCode)
  }

  private struct Kept {
    /// The requests by the ids of their events.
    var courses: [Bytes32: Course] = [:]
    /// The requests by their names, oldest first.
    var names: [(name: String, event: Bytes32)] = []
  }

  private static let mostKept = 512
  private let kept = Locked(Kept())

  /// The course of the approved request with that name; nil for one that is forgotten.
  package func course(of name: String) -> Course? {
    kept.withLock { kept in kept.names.last { $0.name == name }.flatMap { kept.courses[$0.event] } }
  }

  /// A request was approved.
  func begin(_ name: String, _ event: Bytes32) {
    kept.withLock { kept in
      kept.courses[event] = .underWay
      kept.names.append((name, event))
      if kept.names.count > Self.mostKept { kept.courses[kept.names.removeFirst().event] = nil }
    }
  }

  /// Notes how far an approved request got. What failed stays failed, whatever becomes of the answer that says so, and what one relay took is
  /// delivered.
  func note(_ course: Course, _ event: Bytes32) {
    kept.withLock { kept in
      switch kept.courses[event] {
      case nil, .failed?, .delivered?: return
      case .underWay?, .done?, .undelivered?: kept.courses[event] = course
      }
    }
  }
}
