/** A rewards webhook of one item, in the form of the service, for the account of this number. */
export function webhookBody(number: number): string {
  return JSON.stringify([
    {
      accountId: `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`,
      type: 'POINTS',
      amount: 100,
      rewardId: '019aa5b0-76f4-7b5e-9d0e-3f6c1f0a7c11',
      campaignId: '019aa5b0-76f4-7b5e-9d0e-42c8d0a1b2c3',
      assignmentId: '4c1d2a87-9d3b-5f0c-8a65-b7d0e6f1a2b3',
      assignment: {
        id: '4c1d2a87-9d3b-5f0c-8a65-b7d0e6f1a2b3',
        progress: 1,
        target: 1,
        status: 'COMPLETED',
        missionId: '019aa5b0-76f4-7b5e-9d0e-11aa22bb33cc',
        rewardId: '019aa5b0-76f4-7b5e-9d0e-3f6c1f0a7c11',
      },
    },
  ]);
}
