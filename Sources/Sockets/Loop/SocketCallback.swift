import CWebSockets

/// The function that libwebsockets calls, on the loop thread.
///
/// Reasons without a connection are handled first: for them `wsi` is a placeholder whose fields must not be read.
let socketCallback:
  @convention(c) (
    OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int
  ) -> Int32 = { wsi, reason, user, input, length in
    guard let wsi else { return 0 }
    switch reason {
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED, LWS_CALLBACK_PROTOCOL_INIT, LWS_CALLBACK_PROTOCOL_DESTROY, LWS_CALLBACK_WSI_CREATE,
      LWS_CALLBACK_GET_THREAD_ID, LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS, LWS_CALLBACK_ADD_POLL_FD,
      LWS_CALLBACK_DEL_POLL_FD, LWS_CALLBACK_CHANGE_MODE_POLL_FD, LWS_CALLBACK_LOCK_POLL, LWS_CALLBACK_UNLOCK_POLL:
      return 0
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS:
      guard let user else { return 0 }
      return TLSClientSetUp.load(OpaquePointer(user))
    default: break
    }
    guard let opaque = lws_get_opaque_user_data(wsi) else { return lws_callback_http_dummy(wsi, reason, user, input, length) }
    let session = Unmanaged<Session>.fromOpaque(opaque).takeUnretainedValue()
    return session.handle(wsi, reason, user, UnsafeMutableRawBufferPointer(start: input, count: input == nil ? 0 : length))
  }
