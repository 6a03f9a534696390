"""The edges of the call graph out of one function: what its terms name, and which functions that leads to."""

import builtins
from collections.abc import Iterable
from typing import TYPE_CHECKING

from auditor.code.phrases import ONE_OF
from auditor.code.program.call_paths import Access, CallPath, Reachability
from auditor.code.program.class_hierarchy import Class, Hierarchy
from auditor.code.program.implicit_calls import (
    CONVERSIONS,
    NOT_CALLING,
    copied,
    formatted_attributes,
    has_positional_attributes,
    implicit_methods,
)
from auditor.code.program.type_inference import Frame, Inference, frame_of
from auditor.code.project.names import Referent, referents
from auditor.code.syntax.dynamic_attributes import (
    attribute_access,
    may_read_any_attribute,
    named_by_getter,
)
from auditor.code.syntax.term import Term, dotted

if TYPE_CHECKING:
    from auditor.code.project.codebase import Codebase, Definition

_MOST_CANDIDATES = 40
_BUILTIN = frozenset(name for type_ in (list, dict, set, str, bytes, tuple, int, float) for name in dir(type_))
_BUILTIN_FUNCTIONS = frozenset(dir(builtins))


class CallEdges:
    """The edges out of one function, term by term: `next` are the functions they lead to, `found` all else."""

    def __init__(
        self, hierarchy: Hierarchy, inference: Inference, found: Reachability, step: CallPath, within: Frame
    ) -> None:
        self.hierarchy = hierarchy
        self.codebase: Codebase = hierarchy.codebase
        self.inference = inference
        self.found = found
        self.step = step
        self.within = within
        self.next: list[CallPath] = []
        nested = (term.text("name") for term in step.function.term.walk() if term.type in ("FunctionDef", "ClassDef"))
        self.nested = frozenset(nested)

    def note(self, name: str, chain: str, term: Term, *, is_leaf: bool) -> None:
        where = self.step.function.location_of(term)
        self.found.reached.append(Access(name, chain, self.step, where, is_leaf))

    def unresolved(self, what: str, term: Term) -> None:
        self.found.unresolved.setdefault(what, self.step.function.location_of(term))

    def follow(self, functions: "Iterable[Definition]", cls: Class | None, *, sure: bool = True) -> None:
        for function in functions:
            if function.path not in self.hierarchy.scope:
                self.found.outside[function.name] = None
                continue
            owner = Class(function.path, function.cls) if function.cls else None
            # The class of the receiver, where it has this method from above; else the class that overrides it.
            is_above = cls is not None and owner is not None and owner in self.hierarchy.lineage(cls)
            self.next.append(CallPath(function, cls if is_above else owner, self.step, self.step.is_certain and sure))

    def attribute(self, term: Term, *, is_called: bool, is_inner: bool) -> None:
        name, owner = term.text("attr"), term.term("value")
        chain = dotted(term) or f"….{name}"
        is_followed = self._attribute(term, name, owner, is_called=is_called)
        self.note(name, chain, term, is_leaf=not is_followed and not is_inner)

    def _attribute(self, term: Term, name: str, owner: Term, *, is_called: bool) -> bool:
        """Follow what an attribute may be; whether that is code, all of which is followed."""
        if owner.type == "Call" and owner.term("func").parts.get("id") == "super":
            return self._inherited(name)
        hierarchy = self.hierarchy
        type_ = self.inference.of(owner, self.within)
        is_code = False
        for cls in sorted(type_.classes):
            found = hierarchy.dispatched(cls, name)
            functions = [one for one in found if one.symbol and one.symbol.type == "function"]
            functions += [inner for one in found for inner in self._computing(one)]
            self.follow(tuple(functions), cls)
            if not functions and hierarchy.dispatched(cls, "__getattr__"):
                self.follow(hierarchy.dispatched(cls, "__getattr__"), cls)
                functions += hierarchy.named(name) if self._by_name(term, name, is_called=is_called) else ()
            elif is_called and (not functions or self._is_replaced(cls, name)):
                self._stored(cls, name, term)
            is_code |= bool(functions)
        if type_.classes and type_.is_known:
            return is_code
        if not type_.classes:
            chain = dotted(owner)
            if chain and chain.partition(".")[0] not in {*self.within.values, self.within.own}:
                path = self.step.function.path
                for target in referents(self.codebase, chain, path):
                    if target.type == "class" and (
                        found := hierarchy.dispatched(Class(target.path, target.name or ""), name)
                    ):
                        functions = [one for one in found if one.symbol and one.symbol.type == "function"]
                        self.follow(functions, Class(target.path, target.name or ""))
                        return bool(functions)
                if targets := referents(self.codebase, f"{chain}.{name}", path):
                    return self._referents(targets, is_called=is_called)
            if type_.is_known:
                return is_called
        return self._by_name(term, name, is_called=is_called) or is_code

    def write(self, term: Term) -> None:
        """What giving an attribute a value runs: the setter of a property, `__setattr__`, a descriptor's `__set__`."""
        name, hierarchy = term.text("attr"), self.hierarchy
        type_ = self.inference.of(term.term("value"), self.within)
        for cls in sorted(type_.classes):
            own = (cls, *hierarchy.lineage(cls), *hierarchy.subclasses(cls))
            self.follow([one for c in own for one in self.codebase.setters(c.path, f"{c.name}.{name}")], cls)
            self.follow(hierarchy.dispatched(cls, "__setattr__"), cls)
            for field_ in hierarchy.dispatched(cls, name):
                self.follow(self._computing(field_, "__set__"), None)
        if not type_.classes and not type_.is_known:
            for one in hierarchy.setters(name):
                self.follow((one,), Class(one.path, one.cls or ""), sure=False)

    def _computing(self, field_: "Definition", method: str = "__get__") -> "tuple[Definition, ...]":
        """What reading or calling a field runs: `n = property(f)`, `n = f`, or the `__get__` of what it is made of."""
        if not isinstance(value := field_.term.parts.get("value"), Term):
            return ()
        chain = dotted(value.term("func") if value.type == "Call" else value) or ""
        targets = referents(self.codebase, chain, field_.path)
        if value.type == "Lambda" or chain.endswith("property") or any(one.type == "function" for one in targets):
            return (field_,)
        made = [Class(one.path, one.name) for one in targets if one.type == "class" and one.name]
        return tuple(one for cls in made for one in self.hierarchy.dispatched(cls, method))

    def _inherited(self, name: str) -> bool:
        owner = self.step.function.cls
        if owner is None:
            return False
        found = [
            one
            for base in self.hierarchy.bases(Class(self.step.function.path, owner))
            for one in self.hierarchy.inherited(base, name)
        ]
        # Where a class below has several bases, `super()` may lead to any of them.
        siblings = [
            one
            for cls in ([self.step.cls] if self.step.cls else [])
            for base in self.hierarchy.lineage(cls)
            if base.name != owner
            for one in self.hierarchy.own(base, name)
        ]
        self.follow(tuple(dict.fromkeys((*found, *siblings))), self.step.cls)
        return bool(found)

    def _is_replaced(self, cls: Class, name: str) -> bool:
        """Whether an instance gets an attribute of its own in place of the method of that name."""
        classes = (*self.hierarchy.lineage(cls), *self.hierarchy.subclasses(cls))
        return any(True for one in classes for _ in self.inference.assignments(one, name))

    def _stored(self, cls: Class, name: str, term: Term) -> None:
        """A call of what an attribute holds: of the functions that are assigned to it."""
        values = [
            (method, value)
            for one in (*self.hierarchy.lineage(cls), *self.hierarchy.subclasses(cls))
            for method, value, _ in self.inference.assignments(one, name)
        ]
        is_known = bool(values)
        for method, value in values:
            inner_edges = CallEdges(self.hierarchy, self.inference, self.found, self.step, frame_of(method, cls))
            before = len(inner_edges.next)
            for inner in value.walk():
                if inner.type == "Attribute":
                    inner_edges._attribute(inner, inner.text("attr"), inner.term("value"), is_called=False)
                elif inner.type == "Name":
                    inner_edges.name(inner, is_called=False, is_noted=False)
            is_known &= len(inner_edges.next) > before or value.type in ("Lambda", "Literal")
            self.next += inner_edges.next
            if value.type == "Lambda":
                self.unresolved(f"the lambda in {name}", term)
        if not is_known and not self.inference.attribute(cls, name).classes:
            self.unresolved(dotted(term) or name, term)
        for one in self.inference.attribute(cls, name).classes:
            self.follow(self.hierarchy.dispatched(one, "__call__"), one)

    def _by_name(self, term: Term, name: str, *, is_called: bool) -> bool:
        """Follow the methods, or the properties, of that name wherever they are."""
        label = dotted(term) or f"….{name}"
        count = self.hierarchy.count(name)
        if name in _BUILTIN or not 0 < count <= _MOST_CANDIDATES:
            if is_called and (count or name not in _BUILTIN):
                self.unresolved(label, term)
            return False
        found = self.hierarchy.named(name)
        if not is_called:
            found = tuple(one for one in found if _is_property(one))
        if not found:
            return False
        is_family = self._is_family(found)
        for one in found:
            self.follow((one,), Class(one.path, one.cls or ""), sure=is_family)
        if not is_family and is_called:
            self.unresolved(label + ONE_OF.filled(len(found)).en, term)
        return True

    def _is_family(self, found: "tuple[Definition, ...]") -> bool:
        """Whether the classes of methods of one name all derive from one of them."""
        owners = [Class(one.path, one.cls or "") for one in found]
        return any(all(top in self.hierarchy.lineage(owner) for owner in owners) for top in owners)

    def name(self, term: Term, *, is_called: bool, is_noted: bool = True) -> None:
        name = term.text("id")
        if name in self.within.values or name == self.within.own:
            if is_called:
                self._local(name, term)
            if self.nested:  # the local may be one of a function inside, and this the global
                self._referents(referents(self.codebase, name, self.step.function.path), is_called=is_called)
            return
        targets = referents(self.codebase, name, self.step.function.path)
        is_followed = bool(targets) and self._referents(targets, is_called=is_called)
        is_builtin = name in _BUILTIN_FUNCTIONS and not targets
        if is_called and not targets and not is_builtin and name not in self.nested:
            self.unresolved(name, term)
        if is_noted and not is_builtin:
            self.note(name, name, term, is_leaf=not is_followed and name not in self.nested)

    def _local(self, name: str, term: Term) -> None:
        """A call of a local: what it may be was named where it was assigned, unless it came as a parameter."""
        type_ = self.inference.of(term, self.within)
        for cls in type_.classes:
            self.follow(self.hierarchy.dispatched(cls, "__call__"), cls)
        values = self.within.values.get(name, ())
        if not type_.classes and not all(
            how == "value" and value.type in ("Name", "Attribute", "Lambda", "Call") for how, value in values
        ):
            self.unresolved(name, term)

    def _referents(self, targets: Iterable[Referent], *, is_called: bool = True) -> bool:
        """Follow what a name stands for; whether that is code."""
        is_code = False
        for target in targets:
            name = target.name or ""
            if target.type == "function":
                self.follow(self.codebase.definitions(target.path, name), None)
            elif target.type == "class" and is_called:
                cls = Class(target.path, name)
                for made in ("__new__", "__init__", "__post_init__"):
                    self.follow(self.hierarchy.inherited(cls, made), cls)
            elif target.type == "value" and is_called:
                self._constant(target)
            is_code |= target.type != "value"
        return is_code

    def _constant(self, target: Referent) -> None:
        """A call of what a module's name holds."""
        for definition in self.codebase.definitions(target.path, target.name):
            within = Frame(definition, None, {})
            value = definition.term.parts.get("value")
            for inner in value.walk() if isinstance(value, Term) else ():
                if (chain := dotted(inner)) and (targets := referents(self.codebase, chain, target.path) - {target}):
                    self._referents(targets, is_called=False)
            classes = self.inference.of(value, within).classes if isinstance(value, Term) else ()
            for cls in classes:
                self.follow(self.hierarchy.dispatched(cls, "__call__"), cls)
            if not classes:
                self.unresolved(definition.name, definition.term)

    def call(self, term: Term) -> None:
        """What a call does beside naming its function: dynamic access, conversions, classes that are handed on."""
        function, args = term.term("func"), term.terms("args")
        name = function.parts.get("id")
        if name in ("getattr", "methodcaller", "attrgetter", "eval", "exec", "__import__"):
            self.unresolved(f"{name}({', '.join(dotted(arg) or '…' for arg in args)})", term)
        elif function.type not in ("Name", "Attribute", "Lambda"):
            type_ = self.inference.of(function, self.within)
            for cls in type_.classes:
                self.follow(self.hierarchy.dispatched(cls, "__call__"), cls)
            if not type_.classes:
                self.unresolved("what is computed and then called", term)
        elif name in CONVERSIONS:
            for arg in args:
                self._special(arg, CONVERSIONS[str(name)], term)
        if (one := copied(term)) is not None and self.inference.of(one, self.within).classes:
            self.found.dynamic.append((term, None, self.step))
        for attribute in (*formatted_attributes(term), *named_by_getter(term)):
            self.note(attribute, attribute, term, is_leaf=True)
        if name not in NOT_CALLING:
            for arg in (*args, *(keyword.term("value") for keyword in term.terms("keywords"))):
                chain = dotted(arg)
                if chain and chain.partition(".")[0] not in {*self.within.values, self.within.own}:
                    targets = referents(self.codebase, chain, self.step.function.path)
                    self._referents(target for target in targets if target.type == "class")

    def dynamic(self, term: Term) -> None:
        """A read of an attribute by a name that is worked out."""
        if may_read_any_attribute(term) and not self._is_descriptor():
            access = attribute_access(term)
            name = access.named_by if access is not None else None
            self.found.dynamic.append((term, name, self.step))

    def _is_descriptor(self) -> bool:
        """Whether this is the `__get__` of a descriptor that knows its name, and reads the attribute it stands for."""
        function = self.step.function
        owner = Class(function.path, function.cls) if function.cls else None
        is_get = function.name.endswith(".__get__")
        return is_get and owner is not None and bool(self.hierarchy.inherited(owner, "__set_name__"))

    def truth(self, test: Term) -> None:
        """What a test of an instance of a class here calls: `__bool__`, else `__len__`."""
        for cls in self.inference.of(test, self.within).classes:
            hierarchy = self.hierarchy
            self.follow(hierarchy.dispatched(cls, "__bool__") or hierarchy.dispatched(cls, "__len__"), cls)

    def implicit(self, term: Term) -> None:
        """The methods that syntax calls on an instance of a class here."""
        for side, methods in implicit_methods(term):
            self._special(side, methods, term)

    def _special(self, side: Term, methods: Iterable[str], term: Term) -> None:
        """Special methods of what an expression may be; one that a dataclass generates reads any field."""
        hierarchy = self.hierarchy
        for cls in self.inference.of(side, self.within).classes:
            found = {method: hierarchy.dispatched(cls, method) for method in methods}
            for functions in found.values():
                self.follow(functions, cls)
            is_shown = "__repr__" in found and not any(found.values())
            is_compared = any(not found[method] for method in _GENERATED & found.keys())
            if (is_shown or is_compared) and self._is_dataclass(cls):
                self.found.dynamic.append((term, None, self.step))

    def _is_dataclass(self, cls: Class) -> bool:
        found = self.codebase.definitions(cls.path, cls.name)
        return any(
            "dataclass" in one for definition in found if definition.symbol for one in definition.symbol.decorators
        )

    def pattern(self, case: Term) -> None:
        """The names in a pattern; one that asks for attributes by position may read any."""
        pattern = case.text("pattern")
        self.note(pattern, pattern, case, is_leaf=True)
        if has_positional_attributes(pattern):
            self.found.dynamic.append((case, None, self.step))


_GENERATED = frozenset({"__eq__", "__lt__", "__hash__"})


def _is_property(definition: "Definition") -> bool:
    decorators = definition.symbol.decorators if definition.symbol else ()
    return any("property" in decorator for decorator in decorators)
