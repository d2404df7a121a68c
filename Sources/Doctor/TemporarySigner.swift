import Ciphers
import Curve
import Daemon
import JSON
import OwnerAPI
import OwnerOperations
import OwnerWords
import RemoteSigning
import SecretMemory
import Signer
import Sockets
import Vault

/// A complete signer on a temporary home, for tests by `doctor`. Nothing of it is left, and the owner's vault is not touched.
final class TemporarySigner {
  let identity: PublicKey
  /// The relay that its apps use.
  let relay: WebSocketURL
  let home: Home
  private let daemon: Daemon

  /// - Parameter outside: the relay to use. Nil for an embedded one.
  init(at outside: WebSocketURL?) throws(OperationError) {
    guard let home = TemporaryHome.make(kinds: .holdfast) else {
      throw .failed(
        "The folder for temporary files cannot be written.", hint: "Name another folder: TMPDIR=FOLDER holdfast doctor")
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
    let home: OpenedHome
    do {
      let random = try SecretBytes(randomCount: 32)
      home = try Opening.open(
        home: options.home,
        vault: try Vault.create(home: options.home.path, passphrase: random, cost: .floor, kinds: options.home.kinds))
    } catch { throw OperationError(error) }
    do { return try Daemon(options, home) } catch {
      home.close()
      throw error
    }
  }

  /// Ends it and wipes its home.
  func end() {
    daemon.stop()
    TemporaryHome.wipe(home)
  }

  /// A new link with full trust.
  func link() -> BunkerURI? {
    var request = PairNew.Request()
    request.trust = .full
    let result = try? daemon.operations.perform(PairNew.call(request), via: .command)
    let made = result.flatMap { try? PairNew.response(from: $0) }
    guard let link = made.flatMap({ try? BunkerURI(parsing: $0.bunker) }) else { return nil }
    _ = daemon.hub.waitForListening(on: link.relays)
    return link
  }

  /// Pairs by an app's own link.
  func accept(_ uri: String) -> Bool {
    var request = PairAccept.Request()
    (request.uri, request.trust) = (uri, .full)
    return (try? daemon.operations.perform(PairAccept.call(request), via: .command)) != nil
  }
}
