import { defineConfig } from 'oxfmt';

export default defineConfig({
  printWidth: 120,
  singleQuote: true,
  sortPackageJson: false,
  ignorePatterns: [
    // Written by generators, by npm, and by the ORM beside its migrations.
    ...['test/fixtures', 'gen/**', 'package-lock.json', 'src/persistence/migrations/*.json'],
    // Templates: no YAML before they are rendered.
    'deploy/helm/*/templates',
  ],
});
