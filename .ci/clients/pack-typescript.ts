// Builds `packages/typescript` and writes its archive: `npm run pack-clients -- <folder>`.
import { bundleDouble } from './bundle-double.ts';
import { packNpm } from './pack-npm.ts';

// The double is the service's own code, so its program is a bundle; the compiler writes its declarations.
await packNpm('typescript', bundleDouble);
