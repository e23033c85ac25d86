import { defineConfig } from 'oxfmt';

export default defineConfig({
  printWidth: 120,
  singleQuote: true,
  sortPackageJson: false,
  // Pages are read and compared as text as well: lines of one length, wrapped by the formatter.
  overrides: [
    { files: ['**/*.md'], options: { printWidth: 140, proseWrap: 'always' } },
    // Written by the check of dependencies, one line for each licence.
    { files: ['docs/dependencies.md'], options: { proseWrap: 'preserve' } },
  ],
  ignorePatterns: [
    // Written by generators, by npm, and by the ORM beside its migrations.
    'test/fixtures',
    'gen/**',
    'packages/*/src/gen/**',
    'package-lock.json',
    'src/persistence/migrations/*.json',
    // Templates: no YAML before they are rendered.
    'deploy/helm/*/templates',
  ],
});
