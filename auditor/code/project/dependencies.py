"""What an answer was worked out from: as long as all of this stays the same, so does the answer."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Dependencies:
    """The files and facts of a snapshot that answers rest on. A codebase adds to it until it begins another."""

    files: set[str] = field(default_factory=set)
    """The paths that were read, those that were not there included, but for those only searched for a symbol."""
    listings: set[str] = field(default_factory=set)
    """Beginnings of paths: it matters which files there are that begin so, other than by a search."""
    searches: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    """The symbols that were looked for outside their file, each with the folder; and the paths that were searched."""
    releases: set[str] = field(default_factory=set)
    """The versions of other releases of the target."""
    is_compared: bool = False
    """Whether another revision at hand would make a difference: it tells what moved from what was there before."""
    is_lasting: bool = True
    """Whether answers will be the same next time: none is for want of a connection, say."""

    def __ior__(self, other: "Dependencies") -> "Dependencies":
        self.files |= other.files
        self.listings |= other.listings
        for search, paths in other.searches.items():
            self.searches[search] = self.searches.get(search, frozenset()) | paths
        self.releases |= other.releases
        self.is_compared |= other.is_compared
        self.is_lasting &= other.is_lasting
        return self

    @property
    def paths(self) -> set[str]:
        """Every file whose text matters, the searched ones included."""
        return self.files.union(*self.searches.values())

    @property
    def folders(self) -> set[str]:
        """Every beginning of paths under which it matters which files there are, the searched ones included."""
        return self.listings | {folder for _, folder in self.searches}
