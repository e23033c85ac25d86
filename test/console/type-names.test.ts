import { describe, expect, it } from 'vitest';
import { Import_Status, Import_Type } from '../../gen/laurel/admin/v1/import_pb.ts';
import { Product_StockMode } from '../../gen/laurel/admin/v1/product_pb.ts';
import { WebhookType } from '../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import { Change_Kind } from '../../gen/laurel/v1/change_pb.ts';
import { Mission_Type } from '../../gen/laurel/v1/mission_pb.ts';
import { Reward_Type } from '../../gen/laurel/v1/reward_pb.ts';
import { missionTypeName } from '../../src/console/pages/campaigns/mission-types.ts';
import { importStatusName, importTypeName } from '../../src/console/pages/imports/import-types.ts';
import { stockModeName } from '../../src/console/pages/products/stock-modes.ts';
import {
  canSelectCampaigns,
  changeKindName,
  changeKinds,
  endpointFormName,
} from '../../src/console/pages/webhooks/change-kinds.ts';
import { webhookTypeName } from '../../src/console/pages/webhooks/webhook-methods.ts';
import { rewardTypeName, rewardTypes as views } from '../../src/console/pages/rewards/reward-types.ts';
import { CHANGE_KINDS, changeRules } from '../../src/webhooks/changes/change-kind.ts';
import { ONE } from '../../src/kernel/amount.ts';
import { amounts, REWARD_TYPES, rewardTypeRules } from '../../src/rewards/definitions/reward-types.ts';

/** A value that a newer service may send to a page that was loaded before. */
const NEWER = 99;

describe('The console', () => {
  it('shows every reward type and every mission type under its own name', () => {
    expect([Reward_Type.PRODUCTS, Reward_Type.CHEST].map(rewardTypeName)).toEqual(['PRODUCTS', 'CHEST']);
    expect([Mission_Type.MISSION, Mission_Type.ROUTINE].map(missionTypeName)).toEqual(['MISSION', 'ROUTINE']);
  });

  it('never shows a type that it does not know as another one', () => {
    expect(() => rewardTypeName(NEWER as Reward_Type)).toThrow('does not know the value 99');
    expect(() => missionTypeName(NEWER as Mission_Type)).toThrow('does not know the value 99');
    expect(() => rewardTypeName(Reward_Type.TYPE_UNSPECIFIED)).toThrow('does not know the value 0');
  });

  it.each(REWARD_TYPES)('asks for what the service takes of a reward of type %s, and for nothing else', (type) => {
    const { fields, amount } = rewardTypeRules[type];
    const taken = Object.entries(fields).flatMap(([field, rule]) => (rule === 'refused' ? [] : [field]));
    // The consequence of a reversal belongs to every type.
    const asked = [...taken, 'onReversal', ...(amount === 'none' ? [] : ['amount'])];
    expect(views[type].fields.toSorted()).toEqual(asked.toSorted());
    expect(BigInt(10 ** views[type].decimals)).toBe(ONE / amounts[amount].step);
  });

  it('offers every kind of change to an endpoint, and campaigns for those that the service takes with some', () => {
    expect(changeKinds.toSorted()).toEqual(CHANGE_KINDS.toSorted());
    for (const kind of changeKinds) expect(canSelectCampaigns([kind])).toBe(changeRules[kind].hasCampaign);
    expect(canSelectCampaigns(['MISSION_COMPLETED', 'STOCK_LOW'])).toBe(false);
    expect(canSelectCampaigns([])).toBe(false);
    expect(changeKindName(Change_Kind.STOCK_LOW)).toBe('STOCK_LOW');
  });

  it('never shows another value of an import, a product or a webhook that it does not know', () => {
    expect(importTypeName(Import_Type.PRODUCT_CODES)).toBe('PRODUCT_CODES');
    const names = [importTypeName, importStatusName, stockModeName, webhookTypeName, changeKindName, endpointFormName];
    for (const nameOf of names) expect(() => nameOf(NEWER as never)).toThrow('does not know the value 99');
    expect(importStatusName(Import_Status.QUEUED)).toBe('QUEUED');
    expect(stockModeName(Product_StockMode.CODES)).toBe('CODES');
    expect(webhookTypeName(WebhookType.REWARDS)).toBe('REWARDS');
  });
});
