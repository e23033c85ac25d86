/** The aggregations and periods in the order of the forms. */
export const aggregations = ['COUNT', 'SUM', 'MAX', 'LAST', 'DAYS'] as const;
export const periods = ['ALL_TIME', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const;

/** The name of an aggregation or a period. */
export type Aggregation = (typeof aggregations)[number];
export type Period = (typeof periods)[number];
