// The stubs of the modules: the types of messages, operations and conditions, with the comments of the protos.
import type { DescEnum, DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import { commentOf } from '../../../src/gateway/codegen/proto-comments.ts';
import { type Filterable, filterableOf, listsIn } from '../declared.ts';
import {
  elementType,
  enumsOf,
  filesOf,
  kindOf,
  messagesOf,
  MODULES,
  registry,
  rowOf,
  rpcsOf,
  typeIn,
} from './protos.ts';
import { docstring, snake } from './words.ts';

const lists = listsIn(registry);

/** The words of Python that cannot be names, as far as fields have them. */
const KEYWORDS = new Set([
  'from',
  'import',
  'class',
  'def',
  'in',
  'is',
  'not',
  'or',
  'and',
  'if',
  'for',
  'with',
  'pass',
  'return',
  'global',
  'lambda',
]);

/** The text of the stub of a module. */
export function stubOf(module: string): string {
  const filters = [...rpcsOf(module).values()].flat().filter((rpc) => lists.includes(rpc));
  const lines = [
    'from datetime import datetime\n',
    'from typing import Any, ClassVar, Iterable, Literal, Mapping, MutableMapping, Sequence, TypedDict, Union\n\n',
    'from laurel._rpc import ListRpc, NoWhere, Rpc, StreamRpc\n',
    `from laurel._types import Enum, Message, Repeated${module === 'v1' ? ', FieldMask as FieldMask, Struct as Struct, Timestamp as Timestamp, Value as Value' : ''}\n`,
    ...(module === 'v1' ? [] : ['from laurel._gen import v1\n']),
    ...enumsOf(module).map((desc) => `\n${enumStub(desc, '')}`),
    ...messagesOf(module).map((desc) => `\n${messageStub(module, desc, '')}`),
    ...filters.map((rpc) => `\n${whereStub(rpc)}`),
  ];
  for (const [service, rpcs] of rpcsOf(module)) {
    const desc = filesOf(module)
      .flatMap(({ services }) => services)
      .find(({ name }) => name === service)!;
    lines.push(`\nclass ${service}:\n${docstring(commentOf(desc), '    ')}`);
    for (const rpc of rpcs) lines.push(rpcStub(module, rpc));
  }
  return lines.join('');
}

function rpcStub(module: string, rpc: DescMethod): string {
  const types = [typeIn(module, rpc.input), typeIn(module, rpc.output)];
  const row = rowOf(rpc);
  const kind = kindOf(rpc);
  if (kind === 'ListRpc') types.push(typeIn(module, row!), lists.includes(rpc) ? whereName(rpc) : 'NoWhere');
  return `    ${snake(rpc.name)}: ClassVar[${kind}[${types.join(', ')}]]\n${docstring(commentOf(rpc), '    ')}`;
}

function messageStub(module: string, desc: DescMessage, indent: string): string {
  const inner = `${indent}    `;
  // Like protoc: a field whose name Python reserves is read by `getattr(message, 'import')`.
  const fields = desc.fields.filter(({ name }) => !KEYWORDS.has(name));
  const parameters = fields.map((field) => `${field.name}: Union[${parameterType(module, field)}, None] = ...`);
  const nested = desc.nestedMessages.filter((each) => each.proto.options?.mapEntry !== true);
  return [
    `${indent}class ${desc.name}(Message):\n`,
    docstring(commentOf(desc), inner),
    ...desc.nestedEnums.map((each) => enumStub(each, inner)),
    ...desc.nestedEnums.flatMap((each) =>
      each.values.map(({ name }) => `${inner}${name}: ClassVar[${typeIn(module, each)}]\n`),
    ),
    ...nested.map((each) => messageStub(module, each, inner)),
    ...fields.map((field) => fieldStub(module, field, inner)),
    `${inner}def __init__(self${parameters.length === 0 ? '' : `, *, ${parameters.join(', ')}`}) -> None: ...\n`,
  ].join('');
}

function fieldStub(module: string, field: DescField, indent: string): string {
  const doc = docstring(commentOf(field), indent);
  const isPlain = field.fieldKind === 'scalar' || field.fieldKind === 'enum';
  if (isPlain) return `${indent}${field.name}: ${elementType(module, field)}\n${doc}`;
  // Lists, maps and messages are changed in place; they cannot be assigned.
  return `${indent}@property\n${indent}def ${field.name}(self) -> ${containerType(module, field)}:\n${docstring(commentOf(field), `${indent}    `) || `${indent}    ...\n`}`;
}

function containerType(module: string, field: DescField): string {
  if (field.fieldKind === 'list') return `Repeated[${elementType(module, field)}]`;
  if (field.fieldKind === 'map') return `MutableMapping[str, ${elementType(module, field)}]`;
  return elementType(module, field);
}

function parameterType(module: string, field: DescField): string {
  const element = elementType(module, field);
  const given =
    field.message !== undefined
      ? `${element}, Mapping[str, Any]`
      : field.enum === undefined
        ? element
        : `${element}, str`;
  if (field.fieldKind === 'list') return `Iterable[Union[${given}]]`;
  return field.fieldKind === 'map' ? `Mapping[str, ${element}]` : given;
}

function enumStub(desc: DescEnum, indent: string): string {
  const inner = `${indent}    `;
  const path = typeIn(MODULES[desc.file.proto.package] ?? '', desc);
  const values = desc.values.map(
    (value) => `${inner}${value.name}: ClassVar["${path}"]\n${docstring(commentOf(value), inner)}`,
  );
  return `${indent}class ${desc.name}(int, metaclass=Enum):\n${docstring(commentOf(desc), inner)}${values.join('')}`;
}

function whereName({ input }: DescMethod): string {
  return `${input.name.replace(/Request$/, '')}Where`;
}

function whereStub(rpc: DescMethod): string {
  const fields = filterableOf(rpc, lists)
    // Attributes are a parameter of their own, because the types of Python cannot name fields of any name.
    .filter(({ type }) => type !== 'attribute')
    .map((field) => {
      const type = valueType(field);
      return `    ${snake(field.name)}: Union[${type}, Sequence[${type}], None]\n`;
    });
  return `class ${whereName(rpc)}(TypedDict, total=False):\n    """The fields by which \`${snake(rpc.name)}\` can be filtered."""\n${fields.join('')}`;
}

function valueType({ type, names }: Filterable): string {
  if (type === 'moment') return 'Union[datetime, str]';
  if (type === 'enum') return `Literal[${names!.map((name) => `"${name}"`).join(', ')}]`;
  return { text: 'str', number: 'float', flag: 'bool', attribute: 'Any' }[type];
}
