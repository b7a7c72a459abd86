"""From a catalog image to content in the store: pull, parse, order, write. Shell; runs in worker threads.

`reconcilers` call `unpack`. What the documents of a catalog mean is decided in `olmv1.fbc`.
"""

from catalogd.unpack.unpack import Unpacked, Unpacker, in_context

__all__ = ["Unpacked", "Unpacker", "in_context"]
