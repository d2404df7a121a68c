import JSON
import Platform
import Sockets

/// One connection to the apps' socket. A program may send requests of the apps' socket over it, and messages of NIP-46 without envelope.
final class AppConnection: LineHandler {
  /// The first line by which Holdfast's own program says that it carries the lines of the program that started it.
  static let carrying: JSONValue = .object([.init("v", .integer(AppSocket.version)), .init("carry", .string("starter"))])

  private struct Session {
    var program: AskingProgram
    var isFirstLine = true
    /// What `connect` chose.
    var identity: String?
  }

  private let session: Locked<Session>

  init(_ program: AskingProgram) { session = Locked(Session(program: program)) }

  func received(_ connection: LineConnection, line: [UInt8]) {
    let (program, identity, isFirst) = session.withLock { session in
      defer { session.isFirstLine = false }
      return (session.program, session.identity, session.isFirstLine)
    }
    if isFirst, line == Self.carrying.serialized() { return carry(connection, program) }
    do throws(AppRequest.Unreadable) {
      if let frame = try Frame(line, identity: identity) { return take(frame, line.count, connection, program) }
    } catch {
      connection.send(Frame.line(.failure(error.fault), to: error.id))
      return
    }
    do throws(AppRequest.Unreadable) {
      let request = try AppRequest(line: line)
      program.take(request, bytes: line.count) { outcome in connection.send(AppAnswer.line(outcome, to: request.id)) }
    } catch { connection.send(AppAnswer.line(.failure(error.fault), to: error.id)) }
  }

  func closed(_ connection: LineConnection) { session.withLock { $0.program }.end() }

  /// From now on the program that started this one asks.
  private func carry(_ connection: LineConnection, _ carrier: AskingProgram) {
    do throws(AppFault) {
      let program = try carrier.starter { [weak connection] in connection?.noteUse() }
      session.withLock { $0.program = program }
      connection.send(Self.carrying.serialized())
    } catch {
      connection.send(Frame.line(.failure(error), to: .null))
      connection.close()
    }
  }

  private func take(_ frame: Frame, _ bytes: Int, _ connection: LineConnection, _ program: AskingProgram) {
    if let chosen = frame.chosen { session.withLock { $0.identity = chosen.identity } }
    switch frame.asks {
    case .known(let result): connection.send(Frame.line(.success(.string(result)), to: frame.id))
    case .request(let request, let instead):
      program.take(request, bytes: bytes) { outcome in connection.send(Frame.line(outcome, to: frame.id, instead: instead)) }
    }
  }
}
