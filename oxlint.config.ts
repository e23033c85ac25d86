import { defineConfig } from 'oxlint';

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y'],
  jsPlugins: ['./.ci/lint-rules.ts'],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['gen/**', 'packages/*/src/gen/**'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'laurel/imports': 'error',
    'laurel/tables': 'error',
    'laurel/types': 'error',
    // A cycle of types alone counts too: two files that need each other are one thing.
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-misused-promises': 'error',
    'max-lines': ['warn', 300],

    // Off: an assertion is how a value from a boundary (JSON, a driver, an `any` of a library) gets its type.
    'typescript/no-unsafe-type-assertion': 'off',
    // Off: `uow.query<Row>(sql)` is such an assertion at the boundary to SQL, and reads better than a cast.
    'typescript/no-unnecessary-type-parameters': 'off',
    // Off: descriptors print themselves well; `no-base-to-string` still catches what would print [object Object].
    'typescript/restrict-template-expressions': 'off',
    // Off: the answer of an RPC that says nothing is exactly that type.
    'typescript/no-generated-empty-object-type': 'off',
    // Off: `new Array<T>(length)` is how a list is made that is filled by index.
    'unicorn/no-new-array': 'off',
    // Off: the compiler's noImplicitReturns says it without firing on an exhaustive switch.
    'typescript/consistent-return': 'off',
    // Off: services are object literals whose methods do not use `this`.
    'typescript/unbound-method': 'off',
    // Off: sorting and reversing an array that was made in the same expression changes nobody else's.
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    // Off: `with(-1, x)` replaces the last element, as `at(-1)` reads it.
    'unicorn/no-confusing-array-with': 'off',
    // Off: a function stands beside what uses it, and a short name may serve again inside it.
    'unicorn/consistent-function-scoping': 'off',
    'no-shadow': 'off',
    // Off: a copy lets a loop's body change what was copied.
    'unicorn/no-useless-spread': 'off',
    // Off: messages go to threads here, which have no origin; no window of the console talks to another.
    'unicorn/require-post-message-target-origin': 'off',
    // Off: the formatter decides about lines, and with semicolons none of its breaks can change the meaning.
    'no-unexpected-multiline': 'off',
    // Off: it takes any `body` beside a variable `method` for a GET with a body.
    'unicorn/no-invalid-fetch-options': 'off',
    // A string is spread to count its code points, as PostgreSQL does.
    'typescript/no-misused-spread': ['error', { allow: ['string'] }],
    // Off: the compiler writes the calls that JSX stands for, and imports what they need.
    'react/react-in-jsx-scope': 'off',
    // Off: a table that is laid out as blocks on a phone stays a table only by its roles.
    'jsx-a11y/prefer-tag-over-role': 'off',
    // Off: `render: (row) => <Badge/>` of a column is a function that is called, no component.
    'react/no-unstable-nested-components': 'off',
    // Style sheets are imported for what they do.
    'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
    // Off: fast-check is documented by its default export, `fc.integer()`.
    'import/no-named-as-default-member': 'off',
  },
  overrides: [
    {
      // One clock, handed in. Not for what has no decision to make: the wiring, the database's own measures of time, the page
      // in the browser, and the two that compare clocks (docs/decisions/0019, 0021).
      files: ['src/*/**'],
      rules: { 'laurel/no-clock': 'error' },
    },
    {
      files: [
        'src/{app,commands,mcp,remote,console,persistence,gateway/codegen}/**',
        'src/kernel/time/clock.ts',
        'src/idempotency/attempts.ts',
      ],
      rules: { 'laurel/no-clock': 'off' },
    },
    {
      // Pure rules: no I/O, no clock, no randomness; whatever varies is an argument.
      files: ['src/engine/**'],
      rules: {
        'no-restricted-globals': ['error', 'process', 'console', 'fetch', 'performance', 'crypto', 'setTimeout'],
        'no-restricted-properties': [
          'error',
          { object: 'Temporal', property: 'Now', message: 'Take `now` as an argument.' },
          { object: 'Math', property: 'random', message: 'Take the randomness as an argument.' },
        ],
        'no-restricted-imports': [
          'error',
          {
            paths: [
              { name: 'node:crypto', allowImportNames: ['createHash', 'hash'], message: 'Only hashing is pure.' },
            ],
          },
        ],
      },
    },
    {
      // A migration tells its one story from top to bottom.
      files: ['src/persistence/migrations/**'],
      rules: { 'max-lines': 'off' },
    },
  ],
});
