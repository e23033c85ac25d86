// Preloaded into a service by `--import`: its statements are sent by `documented-statements.ts`, whose search says in which way.
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
