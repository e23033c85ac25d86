// Preloaded into a service by `--import`: another release of pg is installed.
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('/node_modules/pg/package.json')) return next(url, context);
    return { format: 'json', shortCircuit: true, source: '{ "version": "8.99.0" }' };
  },
});
