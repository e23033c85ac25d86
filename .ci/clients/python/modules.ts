// The modules of the package: its messages and operations by their names.
import { repeatPolicy } from '../../../src/gateway/codegen/repeat-policy.ts';
import { enumsOf, kindOf, messagesOf, registry, rpcsOf, typeIn, WELL_KNOWN } from './protos.ts';
import { snake } from './words.ts';

const repeat = registry.getExtension('laurel.http.v1.repeat')!;

/** The text of a module. */
export function moduleOf(module: string): string {
  const home = `laurel.${module}`;
  const messages = messagesOf(module);
  const lines = [
    'from __future__ import annotations\n\n',
    'from laurel._messages import enum, message\n',
    'from laurel._rpc import ListRpc, Rpc, StreamRpc\n\n',
    ...(module === 'v1'
      ? WELL_KNOWN.map((name) => `${name} = message("google.protobuf.${name}", "${home}")\n`)
      : ['from laurel._gen import v1\n\n']),
    ...enumsOf(module).map((desc) => `${desc.name} = enum("${desc.typeName}")\n`),
    ...messages.map((desc) => `${desc.name} = message("${desc.typeName}", "${home}")\n`),
  ];
  for (const [service, rpcs] of rpcsOf(module)) {
    lines.push(`\n\nclass ${service}:\n`);
    for (const rpc of rpcs) {
      const types = `${typeIn(module, rpc.input)}, ${typeIn(module, rpc.output)}`;
      const [name, rest] = [snake(rpc.name), `"${rpc.parent.typeName}/${rpc.name}", ${types}`];
      lines.push(`    ${name} = ${kindOf(rpc)}(${rest}, "${repeatPolicy(rpc, repeat)}")\n`);
    }
  }
  return lines.join('');
}
