import Ciphers
import Curve
import Daemon
import JSON
import OwnerAPI
import OwnerOperations
import RemoteSigning
import SecretMemory
import Signer
import Sockets
import Vault

/// A whole signer on a throw-away home, for trying out: nothing of it is left, and the owner's vault is not touched.
final class TemporarySigner {
  let identity: PublicKey
  /// Where apps of the trial meet it.
  let relay: WebSocketURL
  let home: Home
  private let daemon: Daemon

  /// - Parameter outside: the relay to meet at; nil for one of its own on this machine.
  init(at outside: WebSocketURL?) throws(OperationError) {
    guard let home = TemporaryHome.make(kinds: .holdfast) else {
      throw .failed("The folder for temporary files cannot be written.", hint: "Name another one: TMPDIR=FOLDER holdfast doctor")
    }
    do throws(OperationError) {
      var options = UpOptions(home: home)
      options.isQuiet = true
      options.port = 0
      options.embeddedRelay = outside == nil
      options.relays = outside.map { [$0.text] } ?? []
      let daemon = try Self.daemon(options)
      do throws(OperationError) {
        guard let relay = outside ?? daemon.nearestRelay else { throw .failed("The trial signer has no relay.") }
        let made = try daemon.operations.perform(ControlRequest("identity/create", ["name": "trial"]), via: .command)
        guard let identity = made["pubkey"]?.string.flatMap({ PublicKey(hex: $0) }) else {
          throw .failed("The trial signer made no identity.")
        }
        (self.home, self.daemon, self.relay, self.identity) = (home, daemon, relay, identity)
      } catch {
        daemon.stop()
        throw error
      }
    } catch {
      TemporaryHome.wipe(home)
      throw error
    }
  }

  private static func daemon(_ options: UpOptions) throws(OperationError) -> Daemon {
    let core: Core
    do {
      let random = try SecretBytes(randomCount: 32)
      core = try Opening.core(
        home: options.home,
        vault: try Vault.create(home: options.home.path, passphrase: random, cost: .floor, kinds: options.home.kinds))
    } catch { throw OperationError(error) }
    do { return try Daemon(options, core) } catch {
      core.close()
      throw error
    }
  }

  /// Ends it and wipes its home.
  func end() {
    daemon.stop()
    TemporaryHome.wipe(home)
  }

  /// A fresh link, with all rights.
  func link() -> BunkerURI? {
    var request = PairNew.Request()
    request.trust = .full
    let result = try? daemon.operations.perform(PairNew.call(request), via: .command)
    let made = result.flatMap { try? PairNew.response(from: $0) }
    guard let link = made.flatMap({ try? BunkerURI(parsing: $0.bunker) }) else { return nil }
    _ = daemon.hub.waitForListening(on: link.relays)
    return link
  }

  /// Takes an app's own link.
  func accept(_ uri: String) -> Bool {
    var request = PairAccept.Request()
    (request.uri, request.trust) = (uri, .full)
    return (try? daemon.operations.perform(PairAccept.call(request), via: .command)) != nil
  }
}
