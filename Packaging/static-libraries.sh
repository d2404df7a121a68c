# Has Debian's static libraries take the place of the shared ones: static_libraries FOLDER. Sourced.
#
# OpenSSL stays shared, so that the system's security updates reach it, and so do the C library and the compiler's. libqrencode has no
# static library. FOLDER gets the libraries and the descriptions that pkg-config then finds first.
static_libraries() {
  local folder library archive described
  folder=$(realpath -m "$1")
  mkdir -p "$folder"
  for library in libcap libsecp256k1 libsodium libsqlite3 libstdc++ libutf8proc libwebsockets; do
    archive=$(gcc -print-file-name="$library.a")
    [ -f "$archive" ] || { echo "there is no $library.a" >&2; return 1; }
    ln -sf "$(realpath "$archive")" "$folder/$library.a"
  done
  # The linker takes what it finds first: SwiftPM gives it the folders that pkg-config names before the system's own.
  for described in libcap libsecp256k1 libsodium libwebsockets sqlite3; do
    sed "s|^Libs: *|Libs: -L$folder |" "$(pkg-config --variable=pcfiledir "$described")/$described.pc" >"$folder/$described.pc"
  done
  export PKG_CONFIG_PATH=$folder
}
