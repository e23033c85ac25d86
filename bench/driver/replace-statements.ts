// Preloaded into a service by `--import`: `documented-statements.ts` then sends its statements, in the way that its search parameter names.
import { registerHooks } from 'node:module';

const { search } = new URL(import.meta.url);
const replacement = `${import.meta.resolve('./documented-statements.ts')}${search}`;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url.endsWith('/src/persistence/driver/statement-connection.ts')
      ? { ...found, url: replacement }
      : found;
  },
});
