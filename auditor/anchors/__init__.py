"""From citations and symbols to lines: where code is in a snapshot, and where it is in another."""

from auditor.anchors.citations import follow, locations
from auditor.anchors.relocation import Relocations, relocate, relocate_symbol

__all__ = ["Relocations", "follow", "locations", "relocate", "relocate_symbol"]
