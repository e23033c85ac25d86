import { type Check, fault, RESTORE_AGAIN } from './check.ts';

/** Checks for the rows that only a dump without row-level security contains. */
export const wholeDumpCheck: Check = {
  name: 'rows',
  after: ['server', 'roles', 'migrations', 'rights'],
  async run({ query, asSystem }) {
    const [table] = await query<{ there: boolean }>(`select to_regclass('public.whole_dump') is not null as there`);
    if (!table!.there) return { seen: '', findings: [fault('The table whole_dump is missing.', RESTORE_AGAIN)] };
    // Two statements, because a distributed database has the one table on its coordinator and the other on its nodes.
    const whole = (await asSystem('select from whole_dump limit 1')).length > 0;
    const [{ clients } = { clients: 0 }] = await asSystem<{ clients: number }>(
      'select count(*)::int as clients from client',
    );
    if (whole) return { seen: `The row that only a whole dump holds is there; ${clients} client(s).`, findings: [] };
    return {
      seen: '',
      findings: [
        fault(
          clients === 0
            ? 'This database was restored from a dump that was taken under row-level security and holds no rows: no client, no account, no balance.'
            : `This database was restored from a dump that was taken under row-level security and holds no rows; the ${clients} client(s) in it came later.`,
          'Restore another backup. Take dumps with the backup login of `npm run laurel -- roles --backup-login`, or as superuser, and never with --enable-row-security (docs/backup.md).',
        ),
      ],
    };
  },
};
