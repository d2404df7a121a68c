import Platform

/// Opens one of our addresses in the owner's browser, on desktops without a portal that does so.
enum Browser {
  static func open(_ address: String) {
    // Uses its own thread: the opener may run until the browser is closed, and its exit must be awaited.
    _ = SystemThread.startDetached {
      var child = pid_t()
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(address), nil]
      defer { for argument in arguments { free(argument) } }
      guard posix_spawnp(&child, "xdg-open", nil, nil, &arguments, environ) == 0 else { return }
      while waitpid(child, nil, 0) < 0 && errno == EINTR {}
    }
  }
}
