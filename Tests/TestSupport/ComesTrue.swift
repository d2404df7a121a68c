import Foundation

/// Looks again and again, for at most a minute: for what another program or thread does in its own time.
public func comesTrue(_ what: () -> Bool) -> Bool {
  let end = DispatchTime.now() + .seconds(60)
  while DispatchTime.now() < end {
    if what() { return true }
    usleep(10_000)  // between two looks at a condition
  }
  return false
}
