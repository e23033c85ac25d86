import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** The last hour whose accounts were compared. A client that compares none has no row. */
export const outlierMeasurementTable = defineEntity({
  name: 'OutlierMeasurementEntity',
  tableName: 'outlier_measurement',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    /** The beginning of the hour, of UTC. */
    hour: columns.moment(),
  },
});

export class OutlierMeasurementEntity extends outlierMeasurementTable.class {}
outlierMeasurementTable.setClass(OutlierMeasurementEntity);
