/** What the audit log calls operations: by service and method, as the API names them. */
export const auditOperations = {
  AccountService: {
    DeleteAccount: 'Delete account',
    EraseAccount: 'Erase account',
  },
  AgreementAdminService: {
    CreateAgreement: 'Create agreement',
    AddAgreementStock: 'Add stock to agreement',
    UpdateAgreement: 'Change agreement',
  },
  AudienceAdminService: {
    CreateAudience: 'Create audience',
    UpdateAudience: 'Change audience',
    DeleteAudience: 'Delete audience',
  },
  CampaignAdminService: {
    CreateCampaign: 'Create campaign',
    UpdateCampaign: 'Change campaign',
    ActivateCampaign: 'Activate campaign',
    PauseCampaign: 'Pause campaign',
    EndCampaign: 'End campaign',
    DeleteCampaign: 'Delete campaign',
    DuplicateCampaign: 'Duplicate campaign',
  },
  ChestAdminService: {
    CreateChestDefinition: 'Create chest',
    UpdateChestDefinition: 'Change chest',
    ArchiveChestDefinition: 'Archive chest',
  },
  ClientAdminService: {
    CreateClient: 'Create client',
    UpdateClient: 'Change client',
  },
  ConsoleUserAdminService: {
    CreateConsoleUser: 'Create user',
    UpdateConsoleUser: 'Change user',
    ResetConsoleUserPassword: 'Reset password',
  },
  CredentialAdminService: {
    CreateCredential: 'Create key',
    RevokeCredential: 'Revoke key',
  },
  DeadTriggerAdminService: {
    ReplayDeadTrigger: 'Replay dead trigger',
    DiscardDeadTrigger: 'Discard dead trigger',
  },
  EventDefinitionAdminService: {
    CreateEventDefinition: 'Create event definition',
    UpdateEventDefinition: 'Change event definition',
    DeleteEventDefinition: 'Delete event definition',
  },
  ImportAdminService: {
    CreateImport: 'Create import',
    UploadImport: 'Upload file',
    CancelImport: 'Cancel import',
  },
  LoyaltyAdminService: {
    AdjustPoints: 'Correct points',
    CancelRedemption: 'Cancel redemption',
  },
  MarketplaceService: {
    PublishPublication: 'Publish publication',
    UnpublishPublication: 'Unpublish publication',
  },
  MissionAdminService: {
    CreateMission: 'Create mission',
    UpdateMission: 'Change mission',
    EndMission: 'End mission',
  },
  ProductAdminService: {
    CreateProduct: 'Create product',
    UpdateProduct: 'Change product',
    ArchiveProduct: 'Archive product',
    AddProductStock: 'Add stock to product',
    AddProductCodes: 'Add codes to product',
    WithdrawProductCodes: 'Withdraw codes',
  },
  PublicationAdminService: {
    CreatePublication: 'Create publication',
    UpdatePublication: 'Change publication',
    DeletePublication: 'Delete publication',
    AddPublicationStock: 'Add stock to publication',
    WithdrawPublicationStock: 'Withdraw stock from publication',
  },
  RewardAdminService: {
    CreateReward: 'Create reward',
    UpdateReward: 'Change reward',
    ArchiveReward: 'Archive reward',
    DeliverPendingReward: 'Deliver waiting reward',
    CancelPendingReward: 'Cancel waiting reward',
  },
  SessionService: {
    SignIn: 'Sign in',
    RefreshSession: 'Continue session',
    SignOut: 'Sign out',
    ChangePassword: 'Change own password',
  },
  WebhookAdminService: {
    RedeliverWebhook: 'Send webhook again',
    StopWebhookRetries: 'Stop retries',
  },
  WebhookService: {
    PutRewardsWebhook: 'Set rewards webhook',
    DeleteRewardsWebhook: 'Delete rewards webhook',
    PutPublicationStatusWebhook: 'Set publication status webhook',
    DeletePublicationStatusWebhook: 'Delete publication status webhook',
    PutMissionCompletedWebhook: 'Set mission completed webhook',
    DeleteMissionCompletedWebhook: 'Delete mission completed webhook',
    PutStockLowWebhook: 'Set stock low webhook',
    DeleteStockLowWebhook: 'Delete stock low webhook',
  },
} as const;

/** What it calls the kinds of things that they change: by message. */
export const auditKinds = {
  account: 'Account',
  agreement: 'Agreement',
  audience: 'Audience',
  campaign: 'Campaign',
  chestDefinition: 'Chest',
  client: 'Client',
  consoleUser: 'User',
  credential: 'Key',
  deadTrigger: 'Dead trigger',
  earnedReward: 'Earned reward',
  eventDefinition: 'Event definition',
  import: 'Import',
  mission: 'Mission',
  pointEntry: 'Points',
  product: 'Product',
  publication: 'Publication',
  redemption: 'Redemption',
  reward: 'Reward',
  webhookRetries: 'Webhook retries',
  waitingWebhook: 'Waiting webhook',
  webhookConfiguration: 'Webhook',
} as const;
