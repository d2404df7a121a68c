import CWebSockets

/// Makes `lws_service` return at a given time. Belongs to the loop thread.
final class Alarm {
  /// libwebsockets gives the callback the address of the first member.
  private struct Bell {
    var entry = lws_sorted_usec_list_t()
    var context: OpaquePointer
  }

  private let bell: UnsafeMutablePointer<Bell>

  init(_ context: OpaquePointer) {
    bell = .allocate(capacity: 1)
    bell.initialize(to: Bell(context: context))
  }

  deinit { bell.deallocate() }

  /// Sets a new time. The alarm may fire while libwebsockets is about to call `poll`, which would then wait for the next event,
  /// perhaps for ever. The wake-up makes that `poll` return at once.
  func set(microseconds: Int64) {
    let entry = UnsafeMutableRawPointer(bell).assumingMemoryBound(to: lws_sorted_usec_list_t.self)
    lws_sul_schedule(
      bell.pointee.context, 0, entry,
      { entry in
        guard let entry else { return }
        lws_cancel_service(UnsafeMutableRawPointer(entry).assumingMemoryBound(to: Bell.self).pointee.context)
      }, microseconds)
  }

  func cancel() { lws_sul_cancel(UnsafeMutableRawPointer(bell).assumingMemoryBound(to: lws_sorted_usec_list_t.self)) }
}
