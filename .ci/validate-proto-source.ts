// Prints `buf/validate/validate.proto` as proto2 source from its compiled descriptor. The printed text compiles to an
// equal descriptor, and only the comments are lost. It uses no form that the original file does not use, because not
// every parser knows all of them: protobufjs 7, below @grpc/proto-loader, refuses a list of messages in an option.
import {
  type DescEnum,
  type DescExtension,
  type DescField,
  type DescMessage,
  getOption,
  hasOption,
  type JsonValue,
  toJson,
} from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileOptionsSchema,
} from '@bufbuild/protobuf/wkt';
import {
  file_buf_validate_validate as file,
  predefined,
  PredefinedRulesSchema,
} from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';

type Range = { start: number; end: number };

/** The whole file as text. */
export function validateProtoSource(): string {
  const imports = file.proto.dependency.map((path) => `import "${path}";`);
  const extendees = Map.groupBy(file.extensions, (extension) => extension.extendee.typeName);
  const extensions = [...extendees].map(([extendee, fields]) =>
    block(
      `extend .${extendee}`,
      fields.map((field) => printField(field)),
    ),
  );
  return [
    'syntax = "proto2";',
    `package ${file.proto.package};`,
    ...imports,
    ...printFileOptions(),
    ...extensions,
    ...file.messages.map(printMessage),
    ...file.enums.map(printEnum),
    '',
  ].join('\n');
}

/** The options of the file. Without them Go refuses the file, and Java puts its classes elsewhere. */
function printFileOptions(): string[] {
  if (file.proto.options === undefined) return [];
  return printEntries(toJson(FileOptionsSchema, file.proto.options, { useProtoFieldName: true })).map(
    ([name, value]) => `option ${name} = ${value};`,
  );
}

function printMessage(message: DescMessage): string {
  const { extensionRange, reservedName, reservedRange } = message.proto;
  // `members` has each oneof at the place of its first field, so the printed order is the declared one.
  const members = message.members.map((member) =>
    member.kind === 'oneof'
      ? block(
          `oneof ${member.name}`,
          member.fields.map((field) => printField(field, '')),
        )
      : printField(member),
  );
  return block(`message ${message.name}`, [
    ...message.nestedEnums.map(printEnum),
    ...message.nestedMessages.map(printMessage),
    ...extensionRange.map((range) => `extensions ${printRange(range)};`),
    // Message ranges exclude their end; enum ranges include it.
    ...printReserved(
      reservedName,
      reservedRange.map(({ start, end }) => ({ start, end: end - 1 })),
    ),
    ...members,
  ]);
}

function printEnum(enumeration: DescEnum): string {
  const { options, reservedName, reservedRange } = enumeration.proto;
  return block(`enum ${enumeration.name}`, [
    ...(options?.allowAlias ? ['option allow_alias = true;'] : []),
    ...enumeration.values.map(
      (value) => `${value.name} = ${value.number}${value.deprecated ? ' [deprecated = true]' : ''};`,
    ),
    ...printReserved(reservedName, reservedRange),
  ]);
}

function printField(field: DescField | DescExtension, label = labelOf(field.proto.label)): string {
  const { proto } = field;
  const options = [
    ...(proto.defaultValue ? [`default = ${proto.defaultValue}`] : []),
    ...(proto.options?.deprecated ? ['deprecated = true'] : []),
    ...(hasOption(field, predefined)
      ? printEntries(toJson(PredefinedRulesSchema, getOption(field, predefined), { useProtoFieldName: true })).map(
          ([name, value]) => `(predefined).${name} = ${value}`,
        )
      : []),
  ];
  const suffix = options.length > 0 ? ` [${options.join(', ')}]` : '';
  return `${label}${typeOf(field)} ${proto.name} = ${proto.number}${suffix};`;
}

function typeOf({ proto }: DescField | DescExtension): string {
  const named = proto.type === Type.MESSAGE || proto.type === Type.ENUM;
  return named ? proto.typeName : Type[proto.type].toLowerCase();
}

function labelOf(label: Label): string {
  return `${Label[label].toLowerCase()} `;
}

function printReserved(names: string[], ranges: Range[]): string[] {
  return [
    ...(names.length > 0 ? [`reserved ${names.map((name) => JSON.stringify(name)).join(', ')};`] : []),
    ...ranges.map(({ start, end }) => `reserved ${start === end ? start : `${start} to ${end}`};`),
  ];
}

function printRange({ start, end }: Range): string {
  const MAX_FIELD_NUMBER_EXCLUSIVE = 536_870_912;
  return `${start} to ${end >= MAX_FIELD_NUMBER_EXCLUSIVE ? 'max' : end - 1}`;
}

/** The fields of a message as names and literals. A repeated field has one entry per element. */
function printEntries(message: JsonValue): [name: string, literal: string][] {
  return Object.entries(message as Record<string, JsonValue>).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, printLiteral(each)]),
  );
}

/** A JSON value in the text format of option literals. */
function printLiteral(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${printEntries(value)
    .map(([name, literal]) => `${name}: ${literal}`)
    .join(' ')}}`;
}

function block(head: string, lines: string[]): string {
  return `${head} {\n${lines.map((line) => line.replaceAll(/^/gm, '  ')).join('\n')}\n}`;
}
