// The errors of the package: a class for each code, and the status of each kind.
import { commentOf } from '../../../src/gateway/codegen/proto-comments.ts';
import { httpStatuses } from '../../../src/kernel/errors/error-kinds.ts';
import { answeredCodes, classOf } from '../declared.ts';
import { registry } from './protos.ts';
import { docstring } from './words.ts';

/** The text of the module with the HTTP status of each kind of error. */
export function statuses(): string {
  const rows = Object.entries(httpStatuses).map(([kind, status]) => `    "${kind}": ${status},\n`);
  return `\n# The HTTP status of each kind of error.\nSTATUSES = {\n${rows.join('')}}\n`;
}

/** A class for each code that a call can be answered with. */
export function errorClasses(): string {
  const codes = answeredCodes(registry);
  const classes = codes.map(
    (value) =>
      `\n\nclass ${classOf(value.name)}(LaurelError):\n${docstring(commentOf(value), '    ')}\n    CODE = "${value.name}"\n`,
  );
  const names = codes.map(({ name }) => classOf(name));
  return [
    'from laurel._errors import CLASSES, LaurelError\n',
    ...classes,
    `\n\n__all__ = [\n${names.map((name) => `    "${name}",\n`).join('')}]\n`,
    `\nCLASSES.update({each.CODE: each for each in [\n${names.map((name) => `    ${name},\n`).join('')}]})\n`,
  ].join('');
}
