import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import type { DescFile, DescMessage } from '@bufbuild/protobuf';

const root = join(import.meta.dirname, '../..');

/** The JSON names of all fields in the audit log, at any depth. `kinds` are the log's names of resource kinds. */
export async function auditedFields(kinds: readonly string[]): Promise<ReadonlySet<string>> {
  const messages = new Map<string, DescMessage>();
  for await (const file of glob('gen/laurel/**/*_pb.ts', { cwd: root })) {
    const module: Readonly<Record<string, unknown>> = await import(join(root, file));
    for (const value of Object.values(module)) {
      if (!isFile(value)) continue;
      for (const message of value.messages) messages.set(message.name, message);
    }
  }
  const names = new Set<string>();
  const seen = new Set<DescMessage>();
  const visit = (message: DescMessage | undefined): void => {
    if (message === undefined || seen.has(message) || message.typeName.startsWith('google.')) return;
    seen.add(message);
    for (const field of message.fields) {
      names.add(field.jsonName);
      visit(field.message);
    }
  };
  for (const kind of kinds) visit(messages.get(kind.charAt(0).toUpperCase() + kind.slice(1)));
  return names;
}

function isFile(value: unknown): value is DescFile {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'file';
}
