// The bodies of webhooks, which are JSON, as typed dictionaries.
import { type DescField, type DescMessage, getOption } from '@bufbuild/protobuf';
import { commentOf } from '../../../src/gateway/codegen/proto-comments.ts';
import { enumOf, pascal } from '../declared.ts';
import { elementType, registry, typeIn } from './protos.ts';
import { asIs, docstring } from './words.ts';

/** The text of the module. */
export function webhookBodies(): string {
  const body = registry.getExtension('laurel.http.v1.webhook_body')!;
  const kinds = enumOf(registry, 'laurel.v1.Change.Kind').values.filter(({ number }) => number !== 0);
  const rows = kinds.map((value) => ({ value, message: registry.getMessage(String(getOption(value, body)))! }));
  const needed = new Map<string, DescMessage>();
  for (const { message } of rows) collect(message, needed);
  const types = [...needed.values()].map((desc) => {
    const fields = desc.fields.map(
      (field) => `    ${field.jsonName}: ${jsonType(field)}\n${docstring(commentOf(field), '    ', asIs)}`,
    );
    return `\n\nclass ${jsonName(desc)}(TypedDict, total=False):\n${docstring(commentOf(desc), '    ', asIs)}${fields.join('')}`;
  });
  const changes = rows.map(
    ({ value, message }) =>
      `\n\nclass ${pascal(value.name)}(_Change):\n${docstring(commentOf(value), '    ', asIs)}    type: Literal["${value.name}"]\n    data: ${jsonName(message)}\n`,
  );
  return [
    'from __future__ import annotations\n\nfrom typing import Any, Dict, List, Literal, TypedDict, Union\n',
    ...types,
    '\n\nclass _Base(TypedDict):\n    id: str\n    """UUID of the message, the same in each attempt: an id that you know is a repeat."""\n    clientId: str\n    occurredAt: str\n    """RFC 3339 in UTC."""\n',
    '\n\nclass _Change(_Base, total=False):\n    test: Literal[True]\n    """True in test events, which must have no effect."""\n',
    ...changes,
    `\n\nWebhookChange = Union[\n${kinds.map(({ name }) => `    ${pascal(name)},\n`).join('')}]\n`,
    `"""The body of a webhook endpoint. A later version of the service may send further types: ignore them."""\n`,
  ].join('');
}

function collect(desc: DescMessage, found: Map<string, DescMessage>): void {
  if (found.has(desc.typeName) || desc.file.proto.package === 'google.protobuf') return;
  for (const { message } of desc.fields) if (message !== undefined) collect(message, found);
  found.set(desc.typeName, desc);
}

function jsonName(desc: DescMessage): string {
  return `${typeIn('v1', desc).replaceAll('.', '')}Json`;
}

function jsonType(field: DescField): string {
  const type = jsonElement(field);
  if (field.fieldKind === 'list') return `List[${type}]`;
  return field.fieldKind === 'map' ? `Dict[str, ${type}]` : type;
}

function jsonElement(field: DescField): string {
  if (field.enum !== undefined) return 'str';
  if (field.message === undefined) return elementType('v1', field);
  const { typeName } = field.message;
  if (typeName === 'google.protobuf.Timestamp') return 'str';
  if (typeName === 'google.protobuf.Struct') return 'Dict[str, Any]';
  return typeName.startsWith('google.') ? 'Any' : jsonName(field.message);
}
