/** SQL for joins of other modules: the points that client `$1` took for each purchase of a kind. @param sourceType constant SQL, never input */
export function spentOn(sourceType: string): string {
  return `(select source_id, -sum(amount) as points from point_entry
            where client_id = $1 and type = 'SPEND' and source_type = '${sourceType}' group by source_id)`;
}
