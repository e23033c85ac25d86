"""Messages and enums, built from the descriptors of the package by the protobuf that is installed."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

from laurel._gen.descriptors import FILES

# A pool of the package, so that code that you generated from the protos of Laurel, or of Google, can be in the same program.
_pool = descriptor_pool.DescriptorPool()
for _file in FILES.values():
    _pool.AddSerializedFile(b64decode(_file))

# Before protobuf 4.22 a factory had this function.
_class_of = getattr(message_factory, "GetMessageClass", None) or message_factory.MessageFactory(_pool).GetPrototype


def message(name: str, module: str) -> Any:
    """The class of a message; `module` is where programs import it, and where `pickle` finds it."""
    descriptor = _pool.FindMessageTypeByName(name)
    _place(descriptor, module, descriptor.name)
    return _class_of(descriptor)


def enum(name: str) -> Any:
    """The numbers and names of an enum that no message contains."""
    return EnumTypeWrapper(_pool.FindEnumTypeByName(name))


def _place(descriptor: Any, module: str, path: str) -> None:
    cls = _class_of(descriptor)
    cls.__module__ = module
    cls.__qualname__ = path
    for nested in descriptor.nested_types:
        if not nested.GetOptions().map_entry:
            _place(nested, module, f"{path}.{nested.name}")


_enums_within: dict[str, bool] = {}


def _has_enums(descriptor: Any) -> bool:
    """Whether a message has enums, at any depth."""
    known = _enums_within.get(descriptor.full_name)
    if known is None:
        # A message within itself adds nothing.
        _enums_within[descriptor.full_name] = False
        fields = descriptor.fields
        known = any(f.enum_type is not None or (f.message_type is not None and _has_enums(f.message_type)) for f in fields)
        _enums_within[descriptor.full_name] = known
    return known


def forget_unknown_enums(answer: Any) -> None:
    """Sets enum values that are newer than this package to the first value, `..._UNSPECIFIED`, and removes them from lists."""
    if not _has_enums(answer.DESCRIPTOR):
        return
    for field, value in answer.ListFields():
        if field.enum_type is not None:
            numbers = field.enum_type.values_by_number
            if not _is_list(field):
                if value not in numbers:
                    answer.ClearField(field.name)
            elif any(each not in numbers for each in value):
                value[:] = [each for each in value if each in numbers]
        elif field.message_type is not None and _has_enums(field.message_type):
            if not _is_list(field):
                forget_unknown_enums(value)
            elif field.message_type.GetOptions().map_entry:
                for key in value:
                    forget_unknown_enums(value[key])
            else:
                for each in value:
                    forget_unknown_enums(each)


def _is_list(field: Any) -> bool:
    # The name of this property changed between the versions of protobuf.
    repeated = getattr(field, "is_repeated", None)
    return field.label == field.LABEL_REPEATED if repeated is None else bool(repeated)
