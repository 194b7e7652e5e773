"""Finding by meaning, beside finding by words: off by default, without a network, with what the user installed.

``TOKEN_SAVER_MEMORY_VECTORS`` names the embedder: ``minilm`` or ``use``. Hooks never embed anything.
"""
