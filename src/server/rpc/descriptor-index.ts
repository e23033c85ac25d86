import { type DescFile, type DescService, toBinary } from '@bufbuild/protobuf';
import { nestedTypes } from '@bufbuild/protobuf/reflect';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';

/** The proto files of the registered services, with the look-ups of reflection. */
export type DescriptorIndex = {
  /** Finds a file by its path, for example `laurel/v1/account.proto`. */
  byName(name: string): DescFile | undefined;
  /** Finds a file by a declared name: a message, field, enum, value, service, method or extension, without a leading dot. */
  bySymbol(symbol: string): DescFile | undefined;
  byExtension(extendee: string, number: number): DescFile | undefined;
  /** The numbers of the known extensions of a message, ascending; undefined for an unknown message. */
  extensionNumbers(extendee: string): number[] | undefined;
  /** A file and everything it imports, each serialised, the file itself first. */
  closure(file: DescFile): Uint8Array[];
};

/** Indexes the files of `services` and all that they import. */
export function createDescriptorIndex(services: readonly DescService[]): DescriptorIndex {
  const files = closureOf(services.map(({ file }) => file));
  const byName = new Map(files.map((file) => [file.proto.name, file]));
  const bySymbol = new Map(files.flatMap((file) => symbolsOf(file).map((symbol) => [symbol, file] as const)));
  const extensions = new Map<string, Map<number, DescFile>>();
  const messages = new Set<string>();
  for (const file of files) {
    for (const type of nestedTypes(file)) {
      if (type.kind === 'message') messages.add(type.typeName);
      if (type.kind !== 'extension') continue;
      const known = extensions.get(type.extendee.typeName) ?? new Map<number, DescFile>();
      extensions.set(type.extendee.typeName, known.set(type.number, file));
    }
  }
  // Each file is serialised once, because callers without a credential may ask any number of times.
  const serialised = new Map<DescFile, Uint8Array>();
  function bytesOf(file: DescFile): Uint8Array {
    const bytes = serialised.get(file) ?? toBinary(FileDescriptorProtoSchema, file.proto);
    serialised.set(file, bytes);
    return bytes;
  }
  return {
    byName: (name) => byName.get(name),
    bySymbol: (symbol) => bySymbol.get(symbol),
    byExtension: (extendee, number) => extensions.get(extendee)?.get(number),
    extensionNumbers(extendee) {
      if (!messages.has(extendee)) return undefined;
      return [...(extensions.get(extendee)?.keys() ?? [])].sort((a, b) => a - b);
    },
    closure: (file) => closureOf([file]).map(bytesOf),
  };
}

function closureOf(roots: readonly DescFile[]): DescFile[] {
  const found = new Set(roots);
  // The iteration of a Set also visits entries that are added meanwhile.
  for (const file of found) for (const dependency of file.dependencies) found.add(dependency);
  return [...found];
}

function symbolsOf(file: DescFile): string[] {
  return [...nestedTypes(file)].flatMap((type) => {
    switch (type.kind) {
      case 'message':
        return [type.typeName, ...type.members.map(({ name }) => `${type.typeName}.${name}`)];
      case 'enum':
        // The name of a value is in the scope of its enum's parent, like in C++.
        return [type.typeName, ...type.values.map(({ name }) => type.typeName.replace(/[^.]*$/, name))];
      case 'service':
        return [type.typeName, ...type.methods.map(({ name }) => `${type.typeName}.${name}`)];
      case 'extension':
        return [type.typeName];
    }
  });
}
