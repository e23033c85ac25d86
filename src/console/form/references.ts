import type { DescMessage, DescMethodUnary } from '@bufbuild/protobuf';
import { AgreementAdminService } from '../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { AudienceAdminService } from '../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { CampaignAdminService } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { ChestAdminService } from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import { EventDefinitionAdminService } from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { ProductAdminService } from '../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { RewardAdminService } from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { StatisticDefinitionAdminService } from '../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import type { StatisticDefinition } from '../../../gen/laurel/v1/statistic_pb.ts';
import type { EventDefinition } from '../../../gen/laurel/v1/event_definition_pb.ts';

/** A kind of resource that a field refers to, with its stored, shown and searched fields. */
export type References<Row, Input extends DescMessage = DescMessage, Output extends DescMessage = DescMessage> = {
  /** The paginated method that lists them. */
  readonly method: DescMethodUnary<Input, Output>;
  readonly valueOf: (row: Row) => string;
  readonly labelOf: (row: Row) => string;
  /** The field with the stored value, which finds the names of chosen rows. */
  readonly valueField: string;
  /** The field that the typed text searches. */
  readonly labelField: string;
};

type Named = { readonly id: string; readonly name: string };

function named<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
): References<Named, Input, Output> {
  return { method, valueOf: ({ id }) => id, labelOf: ({ name }) => name, valueField: 'id', labelField: 'name' };
}

export const agreements = named(AgreementAdminService.method.listAgreements);
export const audiences = named(AudienceAdminService.method.listAudiences);
export const campaigns = named(CampaignAdminService.method.listCampaigns);
export const chests = named(ChestAdminService.method.listChestDefinitions);
export const products = named(ProductAdminService.method.listProducts);
export const rewards = named(RewardAdminService.method.listRewards);

export const eventDefinitions = {
  method: EventDefinitionAdminService.method.listEventDefinitions,
  valueOf: ({ programmaticCode }: EventDefinition) => programmaticCode,
  labelOf: ({ programmaticCode }: EventDefinition) => programmaticCode,
  valueField: 'programmaticCode',
  labelField: 'programmaticCode',
};

export const statistics = {
  method: StatisticDefinitionAdminService.method.listStatisticDefinitions,
  valueOf: ({ code }: StatisticDefinition) => code,
  labelOf: ({ name, code }: StatisticDefinition) => (name === code ? code : `${name} (${code})`),
  valueField: 'code',
  labelField: 'name',
};
