// Bundles the double of `@laurel/client/testing` from the handlers and rules in `src`. Modules with statements of PostgreSQL stay, but for the
// functions that `packages/typescript/double/records` has under the same path and name: those are replaced, also where the module itself calls
// them. The bytes depend on the sources alone.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { build, type Plugin } from 'vite';

const root = join(import.meta.dirname, '../..');
const double = join(root, 'packages/typescript/double');

/** The packages that the client needs anyway. */
const EXTERNAL = [/^node:/, /^@bufbuild\/protobuf(\/|$)/, /^@connectrpc\/connect(\/|$)/];

/** Writes the bundle to a file. */
export async function bundleDouble(folder: string, name = 'testing.js'): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [inMemory(), licences()],
    resolve: { alias: { '@mikro-orm/core': join(double, 'orm.ts') } },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: join(double, 'testing.ts'),
      target: 'es2022',
      outDir: folder,
      emptyOutDir: false,
      minify: 'oxc',
      rollupOptions: {
        external: EXTERNAL,
        treeshake: { moduleSideEffects: false },
        output: { entryFileNames: name, format: 'es', codeSplitting: false },
      },
    },
  });
}

/** Puts the functions of `records` into the modules of the same paths. */
function inMemory(): Plugin {
  const unused = new Set(
    globSync('**/*.ts', { cwd: join(double, 'records') }).map((path) => path.replaceAll('\\', '/')),
  );
  return {
    name: 'laurel-in-memory',
    enforce: 'pre',
    transform(code, id) {
      const path = relative(join(root, 'src'), id).replaceAll('\\', '/');
      const records = join(double, 'records', path);
      if (path.startsWith('..') || !existsSync(records)) return undefined;
      unused.delete(path);
      const names = [...readFileSync(records, 'utf8').matchAll(/^export (?:async )?(?:function\*?|const) (\w+)/gm)];
      let replaced = code;
      for (const [, name] of names) {
        const declaration = new RegExp(`^(export )?((?:async )?function\\*?|const) ${name}\\b`, 'm');
        if (!declaration.test(replaced))
          throw new Error(`src/${path} has no ${name}, which the double replaces: change its record in the same way.`);
        replaced = replaced.replace(declaration, `$2 ${name}InPostgres`);
        const isExported = new RegExp(`^export (?:async )?(?:function\\*?|const) ${name}\\b`, 'm').test(code);
        const from = `'${records.replaceAll('\\', '/')}'`;
        replaced = `import { ${name} } from ${from};\n${replaced}${isExported ? `\nexport { ${name} };\n` : ''}`;
      }
      return { code: replaced, map: null };
    },
    buildEnd(error) {
      if (error === undefined && unused.size > 0)
        throw new Error(
          `The double has records of modules that it does not use, or that were moved: ${[...unused].join(', ')}`,
        );
    },
  };
}

/** Adds the licences of the packages that are in the bundle, as they ask. */
function licences(): Plugin {
  return {
    name: 'laurel-licences',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const used = chunk.moduleIds.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
        const texts = [...new Set(used)].toSorted().map(licenceOf);
        chunk.code += `/*! This file contains these packages:\n\n${texts.join('\n\n').replaceAll('*/', '* /')}\n*/\n`;
      }
    },
  };
}

/** The name of a package with its licence; its text unless that is in the archive anyway. */
function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const named = `${name} ${version}, ${license}`;
  if (/Apache-2\.0/.test(license)) return named;
  const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder });
  if (file === undefined) throw new Error(`${named} has no text of its licence.`);
  return `${named}:\n${readFileSync(join(folder, file), 'utf8').trim()}`;
}

type Manifest = { readonly name: string; readonly version: string; readonly license: string };

if (process.argv[1] === import.meta.filename) await bundleDouble(posix.resolve(process.argv[2] ?? '/tmp/double'));
