// Writes the archives of all packages: `npm run pack-clients -- <folder>`. Prints their names.
await import('./pack-typescript.ts');
await import('./pack-widgets.ts');
await import('./pack-python.ts');
