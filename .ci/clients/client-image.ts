// The descriptors from which the packages in `packages` are generated: `laurel.v1`, `laurel.admin.v1` and the details of errors. The rules of
// fields, the paths of REST and the permissions are left out, because they would be half of a bundle. The policy of repeats is told without an
// option: a method with an idempotency level is SAFE, another one with an operation id is WITH_OPERATION_ID, and all others are NEVER.
import {
  clearField,
  create,
  createFileRegistry,
  type DescMethod,
  type FileRegistry,
  fromBinary,
  isMessage,
  type Message,
  toBinary,
} from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type FieldDescriptorProto,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
  type MethodDescriptorProto,
  MethodOptions_IdempotencyLevel as Level,
  MethodOptionsSchema,
} from '@bufbuild/protobuf/wkt';
import { execFileSync } from 'node:child_process';
import { repeatPolicy } from '../../src/gateway/codegen/repeat-policy.ts';

/** The file of the details of errors, and the messages of it that the service sends. */
const DETAILS = 'google/rpc/error_details.proto';
const USED_DETAILS = ['BadRequest', 'ErrorInfo'];

/** The files of the packages, and files that are kept if one of these names a type of them. */
const PACKAGED = /^(laurel\/(admin\/)?v1\/|google\/rpc\/error_details\.proto)/;

/** The image of the packages, and the registry of everything that the protos say. */
export type ClientImage = { readonly bytes: Uint8Array<ArrayBuffer>; readonly registry: FileRegistry };

/** Builds the image with buf. */
export function clientImage(): ClientImage {
  const built = execFileSync('buf', ['build', '--output', '-'], { maxBuffer: 1 << 28 });
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, built));
  const image = fromBinary(FileDescriptorSetSchema, built);
  const kept = new Set(image.file.map(({ name }) => name).filter((name) => PACKAGED.test(name)));
  // Imported files come before those that import them.
  for (const file of image.file.toReversed()) {
    if (!kept.has(file.name)) continue;
    strip(file, registry);
    for (const path of file.dependency) kept.add(path);
  }
  image.file = image.file.filter(({ name }) => kept.has(name));
  return { bytes: toBinary(FileDescriptorSetSchema, image), registry };
}

/** The RPCs of `laurel.v1` and `laurel.admin.v1`, in the order of the protos. */
export function rpcsIn(registry: FileRegistry): DescMethod[] {
  return [...registry.files]
    .filter(({ proto }) => /^laurel\.(admin\.)?v1$/.test(proto.package))
    .flatMap(({ services }) => services)
    .flatMap(({ methods }) => methods);
}

function strip(file: FileDescriptorProto, registry: FileRegistry): void {
  if (file.name.startsWith('google/protobuf/')) return;
  // The extension of buf stays, which says that a file is imported only.
  forEachOptions(file, (holder) => {
    holder.options!.$unknown = undefined;
    if (Object.entries(holder.options!).every(([name, value]) => name === '$typeName' || isAbsent(value))) {
      holder.options = undefined;
    }
  });
  if (file.name === DETAILS) keepDetails(file);
  for (const service of file.service) {
    const desc = registry.getService(`${file.package}.${service.name}`)!;
    for (const method of service.method)
      setLevel(
        method,
        desc.methods.find(({ name }) => name === method.name)!,
        registry,
      );
  }
  const homes = new Set(namedTypes(file).map((name) => homeOf(name, registry)));
  file.dependency = file.dependency.filter((path) => homes.has(path));
}

/** Keeps the messages that clients read, and their fields with types that are kept. Comments are found by positions, so they go. */
function keepDetails(file: FileDescriptorProto): void {
  file.sourceCodeInfo = undefined;
  file.messageType = file.messageType.filter(({ name }) => USED_DETAILS.includes(name));
  for (const violation of file.messageType.flatMap(({ nestedType }) => nestedType)) {
    violation.field = violation.field.filter(({ typeName }) => typeName !== '.google.rpc.LocalizedMessage');
  }
}

/** Makes the level of a method say its policy: NO_SIDE_EFFECTS and IDEMPOTENT are SAFE, and no level is another policy. */
function setLevel(method: MethodDescriptorProto, rpc: DescMethod, registry: FileRegistry): void {
  const repeat = registry.getExtension('laurel.http.v1.repeat');
  if (repeat === undefined) throw new Error('The protos have no option laurel.http.v1.repeat.');
  const isSafe = repeatPolicy(rpc, repeat) === 'SAFE';
  if (isSafe === (rpc.idempotency !== Level.IDEMPOTENCY_UNKNOWN)) return;
  method.options ??= create(MethodOptionsSchema);
  if (isSafe) method.options.idempotencyLevel = Level.IDEMPOTENT;
  else clearField(method.options, MethodOptionsSchema.field.idempotencyLevel);
}

/** The full names of the types that a file names, of the targets of its extensions too. */
function namedTypes(file: FileDescriptorProto): string[] {
  const fieldsIn = (messages: readonly DescriptorProto[]): FieldDescriptorProto[] =>
    messages.flatMap((each) => [...each.field, ...each.extension, ...fieldsIn(each.nestedType)]);
  const fields = [...file.extension, ...fieldsIn(file.messageType)];
  const methods = file.service.flatMap(({ method }) => method);
  return [
    ...fields.flatMap(({ typeName, extendee }) => [typeName, extendee]),
    ...methods.flatMap(({ inputType, outputType }) => [inputType, outputType]),
  ].filter((name) => name !== '');
}

/** The path of the file that declares a type. */
function homeOf(typeName: string, registry: FileRegistry): string | undefined {
  const type = registry.get(typeName.replace(/^\./, ''));
  return type?.kind === 'message' || type?.kind === 'enum' ? type.file.proto.name : undefined;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Calls `visit` with every part of a descriptor that has options. */
function forEachOptions(part: Message & { options?: Message | undefined }, visit: (holder: typeof part) => void): void {
  if (part.options !== undefined) visit(part);
  for (const [name, value] of Object.entries(part)) {
    if (name === 'options' || name === 'sourceCodeInfo') continue;
    for (const each of Array.isArray(value) ? value : [value]) if (isMessage(each)) forEachOptions(each, visit);
  }
}
