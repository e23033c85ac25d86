// The reward and mission types, as the protos spell them: code that depends on one of them belongs in a registry.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const protos = join(import.meta.dirname, '..', 'proto', 'laurel', 'v1');

/** The name of every reward type and every mission type. */
const names: ReadonlySet<unknown> = new Set(['reward', 'mission'].flatMap(namesIn));

/** A condition on a column of types: `reward_type = 'POINTS'`, `type in ('MISSION', …)`. */
const condition = new RegExp(`type"?\\s*(?:=|<>|!=|(?:not\\s+)?in\\s*\\()\\s*'(?:${[...names].join('|')})'`, 'i');

/** Whether a value is the name of a reward type or a mission type. */
export function isTypeName(value: unknown): boolean {
  return names.has(value);
}

/** Whether a text has a condition in SQL that names a type. */
export function hasTypeCondition(text: string): boolean {
  return condition.test(text);
}

function namesIn(proto: string): string[] {
  const [, values = ''] =
    /^ {2}enum Type \{$(.*?)^ {2}\}$/ms.exec(readFileSync(join(protos, `${proto}.proto`), 'utf8')) ?? [];
  const found = [...values.matchAll(/^ {4}(\w+) = [1-9]\d*;/gm)].map(([, name = '']) => name);
  if (found.length === 0) throw new Error(`${proto}.proto has no \`enum Type\` with values.`);
  return found;
}
