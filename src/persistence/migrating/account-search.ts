/**
 * SQL that gives the view of the list of accounts the new columns of its table. A view keeps the columns that its table had. Its owner replaces it and must be allowed to create where it lies. In a restored database
 * the owner may be another role than in the one that was dumped.
 */
export const REPLACE_ACCOUNT_SEARCH = replacement('true');

/** The same without accounts that were merged into others. */
export const REPLACE_ACCOUNT_SEARCH_WITHOUT_MERGED = replacement('merged_into is null');

function replacement(condition: string): string {
  return `do $$
declare
  owner name := (select viewowner from pg_views where viewname = 'account_search' and schemaname = 'public');
begin
  execute format('grant create on schema public to %I', owner);
  execute format('set local role %I', owner);
  create or replace view account_search as
    select * from account where client_id = nullif(current_setting('laurel.client_id', true), '')::uuid and ${condition};
  reset role;
  if owner = 'laurel_system' then
    revoke create on schema public from laurel_system;
  end if;
end
$$;`;
}
