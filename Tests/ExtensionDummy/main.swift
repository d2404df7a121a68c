// A program for tests: one wake of an iPhone's extension. `prepare FOLDER LOAD` makes a phone, an app that asks, and what the relay has, with a
// load of `usual` or `much`. `wake FOLDER` is the extension: it prints the outcome, the most memory that the process had, in KiB, and how long the
// wake took, in milliseconds.
import NotificationServiceCore
import NotificationServiceSupport
import Platform

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "prepare" where arguments.count == 4: try Preparation.make(arguments[2], isMuch: arguments[3] == "much")
case "wake" where arguments.count == 3:
  let (key, push) = (try Preparation.key(arguments[2]), try Preparation.bytes(arguments[2], "push"))
  let service = NotificationService(
    ExtensionFolder(arguments[2]), key: key, transport: FileRelay(path: arguments[2] + "/relay"), now: { Phone.start })
  let began = Clock.monotonicMilliseconds
  let outcome = service.handle(payload: push)
  print(outcome.result.rawValue, Footprint.peak, Clock.monotonicMilliseconds - began)
default: exit(2)
}
