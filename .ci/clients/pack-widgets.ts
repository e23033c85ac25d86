// Builds `packages/widgets` and writes its archive: `npm run pack-clients -- <folder>`.
import { packNpm } from './pack-npm.ts';

await packNpm('widgets');
