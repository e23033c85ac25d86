import pg from 'pg';
import { momentText, parseMoment, TIMESTAMPTZ } from './parse-moment.ts';

type Parser = (text: string) => unknown;

/** The parsers of pg, with a four times faster one for moments. */
export const parsedTypes = typesWith({ [TIMESTAMPTZ]: parseMoment });

/**
 * Types that MikroORM parses: date, timestamp, interval and timestamptz. MikroORM would keep an invalid timestamptz as a text.
 */
export const ormTypes = typesWith({ 1082: String, 1114: String, 1186: String, [TIMESTAMPTZ]: momentText });

/** Our parsers by OID; pg's for all other types. */
function typesWith(parsers: Readonly<Record<number, Parser>>): pg.CustomTypesConfig {
  const ours = new Map(Object.entries(parsers).map(([oid, parser]) => [Number(oid), parser]));
  const parserOf = (oid: number, format?: 'text' | 'binary'): unknown => {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    return ours.get(oid) ?? pg.types.getTypeParser(oid, 'text');
  };
  return { getTypeParser: parserOf as typeof pg.types.getTypeParser };
}
