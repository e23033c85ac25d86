/** The search options of the guide's sections. The build creates the index and the page reads it with the same options. */
export const SEARCH_OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'words'],
  searchOptions: {
    boost: { title: 4, page: 2 },
    // The tables of the contract contain every word but explain none.
    boostDocument: (id: unknown) => (String(id).startsWith('/docs/guide/contract') ? 0.2 : 1),
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND' as const,
  },
};
