"""The clients people use, each with its library's exact requests and its exact way of taking answers.

They are strict where the library is strict: a wrong answer shows as a rejected promise or one that never settles,
just as it would in an app.
"""

from .amethyst import Amethyst
from .applesauce import Applesauce
from .core_nostr import CoreNostr
from .go_nostr import GoNostr
from .ndk import NDK
from .nostr_login import NostrLogin
from .nostr_tools import NostrTools, OldNostrTools
from .rust_nostr import OldRustNostr
from .welshman import Welshman

ALL = [NostrTools, OldNostrTools, NDK, NostrLogin, OldRustNostr, Welshman, Applesauce, Amethyst, GoNostr, CoreNostr]
