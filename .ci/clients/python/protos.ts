// The protos as the package for Python has them: its modules, and the names of types in them.
import {
  type DescEnum,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  fromBinary,
  ScalarType,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { clientImage } from '../client-image.ts';

/** The modules of the package, by the proto packages in them. */
export const MODULES: Readonly<Record<string, string>> = {
  'laurel.v1': 'v1',
  'laurel.admin.v1': 'admin',
  // The roles, and the place of a mistake in an expression.
  'laurel.auth.v1': 'admin',
  'laurel.errors.v1': 'admin',
};

/** The messages of protobuf itself that fields have; programs take them from here, because a message belongs to one pool. */
export const WELL_KNOWN = ['FieldMask', 'Struct', 'Timestamp', 'Value'];

const { bytes, registry: all } = clientImage();

/** Everything that the protos say. */
export const registry = all;

/** The files of the package. */
export const image = fromBinary(FileDescriptorSetSchema, bytes).file;

export function filesOf(module: string): DescFile[] {
  const packaged = new Set(image.map(({ name }) => name));
  return [...registry.files].filter(({ proto }) => packaged.has(proto.name) && MODULES[proto.package] === module);
}

export function messagesOf(module: string): DescMessage[] {
  return filesOf(module)
    .filter(({ proto }) => proto.package !== 'laurel.auth.v1')
    .flatMap(({ messages }) => messages);
}

export function enumsOf(module: string): DescEnum[] {
  return filesOf(module).flatMap(({ enums }) => enums);
}

/** The unary RPCs, and those with a stream of answers. The one with a stream of requests is left out: files are uploaded over REST. */
export function rpcsOf(module: string): Map<string, DescMethod[]> {
  const services = filesOf(module).flatMap((file) => file.services);
  return new Map(
    services.map((service) => [
      service.name,
      service.methods.filter(({ methodKind }) => methodKind === 'unary' || methodKind === 'server_streaming'),
    ]),
  );
}

export function kindOf(rpc: DescMethod): 'Rpc' | 'ListRpc' | 'StreamRpc' {
  if (rpc.methodKind !== 'unary') return 'StreamRpc';
  return rowOf(rpc) === undefined ? 'Rpc' : 'ListRpc';
}

/** The message of a list's rows. */
export function rowOf({ output }: DescMethod): DescMessage | undefined {
  return output.fields.find(({ name, fieldKind }) => name === 'rows' && fieldKind === 'list')?.message;
}

/** The name of a type in a module, with the module before it if it is another one. */
export function typeIn(module: string, desc: DescMessage | DescEnum): string {
  if (desc.file.proto.package === 'google.protobuf') return module === 'v1' ? desc.name : `v1.${desc.name}`;
  const owner = MODULES[desc.file.proto.package];
  if (owner === undefined) throw new Error(`${desc} belongs to no module of the package.`);
  const names = [desc.name];
  for (let parent = desc.parent; parent !== undefined; parent = parent.parent) names.unshift(parent.name);
  return `${owner === module ? '' : `${owner}.`}${names.join('.')}`;
}

export function elementType(module: string, field: DescField): string {
  if (field.message !== undefined) return typeIn(module, field.message);
  if (field.enum !== undefined) return typeIn(module, field.enum);
  switch (field.scalar) {
    case ScalarType.STRING:
      return 'str';
    case ScalarType.BOOL:
      return 'bool';
    case ScalarType.BYTES:
      return 'bytes';
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return 'float';
    default:
      return 'int';
  }
}
