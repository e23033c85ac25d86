import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ChestDefinition_WarningSchema } from '../../../gen/laurel/admin/v1/chest_definition_pb.ts';
import type { ChestEntry, ChestOdds } from '../../engine/chest-roll.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { shortestCycle, loadReachable } from '../../kernel/graph.ts';
import { joined, partsOf, sentence, type Sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { loadRewards } from '../definitions/rewards.queries.ts';
import { type ChestDefinition, chestDefinitionsById } from './chest-definitions.queries.ts';

/** A stored or drafted chest definition. */
type DefinedChest = Pick<ChestDefinition, 'id' | 'name'> & ChestOdds;

/** A chest that another chest may contain. */
type Content = { readonly chestId: string; readonly rewardName: string; readonly certain: boolean };

/** A chest with the chests that it may contain. */
type Holder = { readonly id: string; readonly name: string; readonly contents: readonly Content[] };

/** All chests reachable from some chests, including these, by id. */
type Holders = ReadonlyMap<string, Holder>;

/**
 * Refuses odds by which every draw brings a chest of the same definition again, also through other chests. The caller has locked the
 * catalogue, so that of two changes that together close a loop the second sees the first.
 * @throws DomainError `BAD_REQUEST` with the loop
 */
export async function requireNoCertainCycle(uow: UnitOfWork, chest: DefinedChest): Promise<void> {
  const loop = loopIn(await holdersFrom(uow, [chest]), chest.id, isCertain);
  if (loop === undefined) return;
  throw badRequest(
    sentence`The \`entries\` would make the chest lead to itself in every draw: ${loop}. Send another reward for one of these, or a \`weight\` below its chest's \`totalWeight\`.`,
  );
}

type Warning = MessageInitShape<typeof ChestDefinition_WarningSchema>;

/** The warnings about chests in a cycle, for each of the chests in their order. */
export async function cycleWarnings(uow: UnitOfWork, chests: readonly DefinedChest[]): Promise<Warning[][]> {
  const holders = await holdersFrom(uow, chests);
  return chests.map(({ id }) => warningsOf(holders, id));
}

function warningsOf(holders: Holders, id: string): Warning[] {
  const certain = loopIn(holders, id, isCertain);
  if (certain !== undefined) return [warning('LOOP', sentence`Every draw brings this chest again: ${certain}.`)];
  const chance = loopIn(holders, id, () => true);
  if (chance === undefined) return [];
  return [warning('LOOP_BY_CHANCE', sentence`Some draws bring this chest again: ${chance}.`)];
}

function warning(code: string, message: Sentence): Warning {
  return { code, message: String(message), metadata: partsOf(message) };
}

async function holdersFrom(uow: UnitOfWork, chests: readonly DefinedChest[]): Promise<Holders> {
  return loadReachable(
    await holdersOf(uow, chests),
    ({ contents }) => contents.map(({ chestId }) => chestId),
    async (ids) => holdersOf(uow, await chestDefinitionsById(uow, ids)),
  );
}

async function holdersOf(uow: UnitOfWork, chests: readonly DefinedChest[]): Promise<Holder[]> {
  const rewards = await loadRewards(
    uow,
    chests.flatMap(({ entries }) => entries.map(({ rewardId }) => rewardId)),
  );
  return chests.map(({ id, name, entries, totalWeight }) => ({
    id,
    name,
    contents: entries.flatMap((entry) => {
      const { chestId, name: rewardName } = rewards.get(entry.rewardId) ?? {};
      if (chestId === undefined || rewardName === undefined) return [];
      return [{ chestId, rewardName, certain: isInEveryDraw(entry, totalWeight) }];
    }),
  }));
}

/** Whether every draw contains the entry: it is guaranteed, or its weight is the total weight. */
function isInEveryDraw({ guaranteed, weight }: ChestEntry, totalWeight: number): boolean {
  return guaranteed || weight === totalWeight;
}

const isCertain = ({ certain }: Content): boolean => certain;

/** The shortest loop through a chest, in words; undefined without a loop. */
function loopIn(holders: Holders, start: string, counts: (content: Content) => boolean): Sentence | undefined {
  const contentsOf = (id: string) => (holders.get(id)?.contents ?? []).filter(counts);
  const loop = shortestCycle(start, (id) => contentsOf(id).map(({ chestId }) => chestId));
  if (loop === undefined) return undefined;
  const chestName = (id: string) => sentence`chest '${holders.get(id)!.name}'`;
  const steps = loop.flatMap((id, index) => {
    const next = loop[index + 1] ?? start;
    const reward = contentsOf(id).find(({ chestId }) => chestId === next)!.rewardName;
    return [chestName(id), sentence`reward '${reward}'`];
  });
  return joined([...steps, chestName(start)], ' -> ');
}
