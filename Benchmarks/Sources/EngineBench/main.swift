// EngineBench FILE WARM COUNT [show]: the engine over the input of `c/sign_event.c`, with the same arguments and output.
import Curve
import Encodings
import Glibc
import Nostr
import RemoteSigning

func cpuSeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

func preparedEngine(_ input: InputFile) -> SigningEngine {
  let engine = SigningEngine()
  engine.setIdentities([input.user])
  for (client, transport) in input.pairings {
    let pairing = Pairing(
      remoteSigner: transport.publicKey, client: client, identity: input.user.publicKey, pairedAt: input.now, name: "bench",
      grant: Grant(trust: .full), relays: [])
    engine.add(pairing, signer: transport, now: input.now)
  }
  return engine
}

/// What a worker of the daemon does with one relay message, the record left out.
func answer(_ text: [UInt8], _ engine: SigningEngine, now: Int64) -> [UInt8]? {
  guard case .event(_, let event)? = try? RelayMessage(parsing: text, limits: .remoteSigning),
    case .decided(let exchange) = engine.receive(event, now: now),
    let reply = engine.perform(exchange, now: now).replies.first
  else { return nil }
  return ClientMessage.event(reply.event).json()
}

func run(_ messages: ArraySlice<[UInt8]>, _ engine: SigningEngine, now: Int64, show: Bool) {
  for message in messages {
    guard let reply = answer(message, engine, now: now) else { fail("a message was not answered") }
    if show { print(String(decoding: reply, as: UTF8.self)) }
  }
}

let arguments = CommandLine.arguments
guard arguments.count >= 4, let warm = Int(arguments[2]), let count = Int(arguments[3]) else {
  fail("usage: EngineBench FILE WARM COUNT [show]")
}
let input = InputFile(path: arguments[1])
guard warm >= 0, count >= 0, warm + count <= input.messages.count else { fail("the file has \(input.messages.count) messages") }
let engine = preparedEngine(input)
run(input.messages[..<warm], engine, now: input.now, show: false)
let before = cpuSeconds()
run(input.messages[warm..<warm + count], engine, now: input.now, show: arguments.count > 4)
let spent = cpuSeconds() - before
if arguments.count == 4, count > 0 { print((spent / Double(count) * 1e9).rounded() / 1e3) }
