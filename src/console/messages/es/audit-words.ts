/** What the audit log calls operations: by service and method, as the API names them. */
export const auditOperations = {
  AccountService: {
    DeleteAccount: 'Borrar cuenta',
    EraseAccount: 'Borrar los datos de una cuenta',
  },
  AgreementAdminService: {
    CreateAgreement: 'Crear acuerdo',
    AddAgreementStock: 'Añadir existencias a un acuerdo',
    UpdateAgreement: 'Cambiar acuerdo',
  },
  AudienceAdminService: {
    CreateAudience: 'Crear audiencia',
    UpdateAudience: 'Cambiar audiencia',
    DeleteAudience: 'Borrar audiencia',
  },
  CampaignAdminService: {
    CreateCampaign: 'Crear campaña',
    UpdateCampaign: 'Cambiar campaña',
    ActivateCampaign: 'Activar campaña',
    PauseCampaign: 'Pausar campaña',
    EndCampaign: 'Terminar campaña',
    DeleteCampaign: 'Borrar campaña',
    DuplicateCampaign: 'Duplicar campaña',
  },
  ChestAdminService: {
    CreateChestDefinition: 'Crear cofre',
    UpdateChestDefinition: 'Cambiar cofre',
    ArchiveChestDefinition: 'Archivar cofre',
  },
  ClientAdminService: {
    CreateClient: 'Crear cliente',
    UpdateClient: 'Cambiar cliente',
  },
  ConsoleUserAdminService: {
    CreateConsoleUser: 'Crear usuario',
    UpdateConsoleUser: 'Cambiar usuario',
    ResetConsoleUserPassword: 'Restablecer contraseña',
  },
  CredentialAdminService: {
    CreateCredential: 'Crear clave',
    RevokeCredential: 'Revocar clave',
  },
  DeadTriggerAdminService: {
    ReplayDeadTrigger: 'Repetir evento fallido',
    DiscardDeadTrigger: 'Descartar evento fallido',
  },
  EventDefinitionAdminService: {
    CreateEventDefinition: 'Crear definición de evento',
    UpdateEventDefinition: 'Cambiar definición de evento',
    DeleteEventDefinition: 'Borrar definición de evento',
  },
  ImportAdminService: {
    CreateImport: 'Crear importación',
    UploadImport: 'Subir archivo',
    CancelImport: 'Cancelar importación',
  },
  LoyaltyAdminService: {
    AdjustPoints: 'Corregir puntos',
    CancelRedemption: 'Cancelar canje',
  },
  MarketplaceService: {
    PublishPublication: 'Publicar publicación',
    UnpublishPublication: 'Retirar publicación',
  },
  MissionAdminService: {
    CreateMission: 'Crear misión',
    UpdateMission: 'Cambiar misión',
    EndMission: 'Terminar misión',
  },
  ProductAdminService: {
    CreateProduct: 'Crear producto',
    UpdateProduct: 'Cambiar producto',
    ArchiveProduct: 'Archivar producto',
    AddProductStock: 'Añadir existencias a un producto',
    AddProductCodes: 'Añadir códigos a un producto',
    WithdrawProductCodes: 'Retirar códigos',
  },
  PublicationAdminService: {
    CreatePublication: 'Crear publicación',
    UpdatePublication: 'Cambiar publicación',
    DeletePublication: 'Borrar publicación',
    AddPublicationStock: 'Añadir existencias a una publicación',
    WithdrawPublicationStock: 'Retirar existencias de una publicación',
  },
  RewardAdminService: {
    CreateReward: 'Crear recompensa',
    UpdateReward: 'Cambiar recompensa',
    ArchiveReward: 'Archivar recompensa',
    DeliverPendingReward: 'Entregar recompensa en espera',
    CancelPendingReward: 'Cancelar recompensa en espera',
  },
  SessionService: {
    SignIn: 'Iniciar sesión',
    RefreshSession: 'Continuar sesión',
    SignOut: 'Cerrar sesión',
    ChangePassword: 'Cambiar la propia contraseña',
  },
  WebhookAdminService: {
    RedeliverWebhook: 'Reenviar webhook',
    StopWebhookRetries: 'Detener reintentos',
  },
  WebhookService: {
    PutRewardsWebhook: 'Configurar webhook de recompensas',
    DeleteRewardsWebhook: 'Borrar webhook de recompensas',
    PutPublicationStatusWebhook: 'Configurar webhook de publicaciones',
    DeletePublicationStatusWebhook: 'Borrar webhook de publicaciones',
    PutMissionCompletedWebhook: 'Configurar webhook de misiones completadas',
    DeleteMissionCompletedWebhook: 'Borrar webhook de misiones completadas',
    PutStockLowWebhook: 'Configurar webhook de existencias bajas',
    DeleteStockLowWebhook: 'Borrar webhook de existencias bajas',
  },
} as const;

/** What it calls the kinds of things that they change: by message. */
export const auditKinds = {
  account: 'Cuenta',
  agreement: 'Acuerdo',
  audience: 'Audiencia',
  campaign: 'Campaña',
  chestDefinition: 'Cofre',
  client: 'Cliente',
  consoleUser: 'Usuario',
  credential: 'Clave',
  deadTrigger: 'Evento fallido',
  earnedReward: 'Recompensa ganada',
  eventDefinition: 'Definición de evento',
  import: 'Importación',
  mission: 'Misión',
  pointEntry: 'Puntos',
  product: 'Producto',
  publication: 'Publicación',
  redemption: 'Canje',
  reward: 'Recompensa',
  webhookRetries: 'Reintentos de webhook',
  waitingWebhook: 'Webhook en espera',
  webhookConfiguration: 'Webhook',
} as const;
