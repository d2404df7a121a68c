// The server that the socket fuzzer attacks: the real listeners, embedded relay, console and control socket, without any keys.
//
// SocketServer FOLDER: FOLDER holds server.pem and server.key, and control.sock is made there. Prints one line, the plain and the TLS
// port, and ends when its standard input does.
import Console
import Platform
import Sockets

guard CommandLine.arguments.count == 2 else {
  print("usage: SocketServer FOLDER")
  exit(2)
}
let folder = CommandLine.arguments[1]
let loop = try EventLoop()
loop.start()
let worker = Worker()
worker.start()
let endpoint = Endpoint(loop, work: { worker.run($0) })

var plain = Listener.Options(.tcp(host: "127.0.0.1", port: 0))
plain.extraHeaders = Console.extraHeaders
var secure = plain
secure.tls = TLSFiles(certificatePath: folder + "/server.pem", privateKeyPath: folder + "/server.key")
let listeners = try [
  loop.listen(plain, service: endpoint.service), loop.listen(secure, service: endpoint.service),
  loop.listen(.init(.unix(path: folder + "/control.sock")), service: controlService()),
]
try endpoint.open(port: listeners[0].port)
print(listeners[0].port, listeners[1].port)
fflush(nil)

while getchar() != EOF {}
loop.stop(within: 1_000)
print("connections left:", listeners.map(\.connectionCount).reduce(0, +))
