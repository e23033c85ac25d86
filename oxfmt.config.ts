import { defineConfig } from 'oxfmt';

export default defineConfig({
  printWidth: 120,
  singleQuote: true,
  sortPackageJson: false,
  // Written by generators, by npm, and by the ORM beside its migrations.
  ignorePatterns: ['test/fixtures', 'gen/**', 'package-lock.json', 'src/persistence/migrations/*.json'],
});
