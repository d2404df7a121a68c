internal import Platform

/// Opens an address of our own in the owner's browser, where the desktop has no portal that does.
enum Browser {
  static func open(_ address: String) {
    // A thread of its own: the opener may stay until the browser is closed, and somebody has to wait for it.
    _ = SystemThread.startDetached {
      var child = pid_t()
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(address), nil]
      defer { for argument in arguments { free(argument) } }
      guard posix_spawnp(&child, "xdg-open", nil, nil, &arguments, environ) == 0 else { return }
      while waitpid(child, nil, 0) < 0 && errno == EINTR {}
    }
  }
}
