"""Sandtable's bot: battle odds as people ask for them, in a Discord chat and in a terminal."""

import os

# Workers are processes, so that there is one for every processor; threads inside numpy would only get in their way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
