/** Sentences of the service that begin with a name or a field, and parts of sentences: see `service-messages.ts`. */
export const serviceFaults: Readonly<Record<string, string>> = {
  ' and {0} more': ' y {0} más',
  ' here': ' aquí',
  "'{0}'": '«{0}»',
  "'{0}' cannot be cleared or changed. Send a value for name, role or disabled.":
    '«{0}» no se puede vaciar ni cambiar. Indica un valor para `name`, `role` o `disabled`.',
  "'{0}' has {1}; {2} could earn up to {3}{4}. Add units, or who earns it last waits for a restock.":
    '«{0}» tiene {1}; {2} podrían ganar hasta {3}{4}. Añade unidades, o los últimos que lo ganen esperarán a que se reponga.',
  "'{0}' is out of stock: who earns it waits for a restock.":
    '«{0}» está agotado: quien lo gane esperará a que se reponga.',
  "'{0}' is over already. Move its end.": '«{0}» ya ha terminado. Mueve su final.',
  "'{0}' is published. Unpublish it first.": '«{0}» está publicada. Retira antes la publicación.',
  "'{0}' is {1} of the product, which has {2}.": '«{0}» es {1} del producto, que tiene {2}.',
  "'{0}' of the campaign '{1}'": '«{0}» de la campaña «{1}»',
  "'{0}' starts after the campaign's end.": '«{0}» empieza después del final de la campaña.',
  "'{0}' waits for '{1}' of the campaign '{2}', which is a DRAFT: nobody can complete it before that is active.":
    '«{0}» espera a «{1}» de la campaña «{2}», que es un borrador: nadie puede completarla antes de que esa esté activa.',
  "'{0}' {1}": '«{0}» {1}',
  "'missionId' does not go with the step CLOSED, which is of the campaign. Leave it out.":
    '`missionId` no va con el paso CLOSED, que es de la campaña. No lo indiques.',
  "'missionId' is required for the step STARTED. Send it, or the step COMPLETED or CLOSED.":
    'El paso STARTED requiere `missionId`. Indícalo, o el paso COMPLETED o CLOSED.',
  "'statisticCode' names no statistic of COUNT, SUM or DAYS: {0}. Send the code of one.":
    "'statisticCode' no nombra ninguna estadística de COUNT, SUM o DAYS: {0}. Envía el código de una.",
  "'missionId' names no mission of this campaign: {0}.": '`missionId` no es una misión de esta campaña: {0}.',
  "{0} is also another mission's. Send a different key for each mission.":
    '{0} ya es la de otra misión. Da a cada misión una clave propia.',
  ', and accounts hold {0} back': ', y las cuentas tienen {0} reservadas',
  ', for which 1 earned reward waits': ', que espera 1 recompensa ganada',
  ', for which {0} earned rewards wait': ', que esperan {0} recompensas ganadas',
  ', less what they have earned before': ', menos lo que hayan ganado antes',
  '1 account': '1 cuenta',
  '1 free unit': '1 unidad libre',
  '`itemNames` go with the stockMode CODES only, this one is {0}. Leave them out.':
    '`itemNames` solo vale para productos que se cuentan por códigos; este: {0}. Déjalo vacío.',
  '`lowStockThreshold` goes with units that are counted, and this product is UNLIMITED. Leave it out.':
    '`lowStockThreshold` es para unidades que se cuentan, y las de este producto no se cuentan. Déjalo vacío.',
  '`stock` goes with the stockMode COUNTED only, this one is {0}. {1}':
    '`stock` solo vale para productos que se cuentan por número; este: {0}. {1}',
  '`until` must be later than `since`.': 'El final debe ser posterior al principio.',
  '`totalWeight` is {0} and the weights sum up to {1}. Send at least that.':
    'El peso total es {0} y los pesos suman {1}. Indica al menos eso.',
  '`{0}` goes with the type {1} only, this reward is {2}. Leave it out.':
    '`{0}` solo vale para el tipo {1}; esta recompensa es de tipo {2}. Déjalo vacío.',
  '{0} and {1} say different moments. Send {2} alone.': '{0} y {1} indican momentos distintos. Envía solo {2}.',
  'audienceId belongs to ACCOUNTS. Leave it out for PRODUCT_CODES.':
    'La audiencia es para importar cuentas. Para códigos de producto, déjala vacía.',
  'audienceId is for standalone missions: leave it out in a campaign.':
    'La audiencia es para misiones sueltas: en una campaña, déjala vacía.',
  'authenticationMethodKey and authenticationValue need an authenticationMethodType, HEADER or QUERY_PARAM; send all three or none.':
    '`authenticationMethodKey` y `authenticationValue` necesitan `authenticationMethodType`; indica los tres o ninguno.',
  'authenticationMethodKey is required with {0}.':
    'Con la autenticación {0} hay que indicar `authenticationMethodKey`.',
  'authenticationMethodKey may not be {0}: the request itself needs that header. Send another name.':
    '`authenticationMethodKey` no puede ser {0}: la propia petición necesita esa cabecera. Indica otro nombre.',
  'authenticationMethodKey may not hold control characters.':
    '`authenticationMethodKey` no puede tener caracteres de control.',
  "authenticationMethodKey must be a header name: letters, digits and !#$%&'*+-.^_`|~ only.":
    "`authenticationMethodKey` debe ser el nombre de una cabecera: solo letras, cifras y !#$%&'*+-.^_`|~",
  'authenticationValue is a masked form, which keeps the stored secret only while endpoint, authenticationMethodType and authenticationMethodKey stay as they are; send the secret itself.':
    'En `authenticationValue` está la forma oculta, que solo conserva el secreto guardado mientras `endpoint`, `authenticationMethodType` y `authenticationMethodKey` no cambien; escribe el secreto.',
  'authenticationValue is required with {0}.': 'Con la autenticación {0} hay que indicar `authenticationValue`.',
  'authenticationValue may not hold control characters.': '`authenticationValue` no puede tener caracteres de control.',
  'authenticationValue must be printable ASCII without space at either end, because it is sent in a header.':
    '`authenticationValue` debe ser ASCII imprimible sin espacios al principio ni al final, porque se envía en una cabecera.',
  "campaign '{0}'": 'campaña «{0}»',
  "campaign '{0}', mission '{1}'": 'campaña «{0}», misión «{1}»',
  "chest '{0}'": 'cofre «{0}»',
  'currentPassword is wrong. Send the one you signed in with.':
    '`currentPassword` no es correcta. Escribe la que usaste para iniciar sesión.',
  'email must have one @ with something on both sides, and no spaces or control characters.':
    '`email` debe tener una @ con algo a ambos lados, sin espacios ni caracteres de control.',
  'rotateSigningSecret makes a new secret for the webhook: send an endpoint with it, or leave it out.':
    '`rotateSigningSecret` crea un secreto nuevo para el webhook: indica también `endpoint`, o déjalo sin marcar.',
  'recipients need a mail server, which this service has none of: leave them out, or have the operator set LAUREL_SMTP_URL.':
    '`recipients` necesita un servidor de correo, y este servicio no tiene ninguno: déjalo vacío, o que quien opera el servicio ponga LAUREL_SMTP_URL.',
  'quietHours.timeTo must be another minute than quietHours.timeFrom. Leave quietHours out to be told always.':
    '`quietHours.timeTo` debe ser otro minuto que `quietHours.timeFrom`. Sin horas de silencio, se avisa siempre.',
  'endpoint must begin with https://: alerts go over no other protocol.':
    '`endpoint` debe empezar por https://: las alertas no van por otro protocolo.',
  'campaignIds select changes of campaigns, and {0} belong to none: leave these types out, or create another endpoint for them.':
    '`campaignIds` elige cambios de campañas, y {0} no son de ninguna: quita estos tipos, o crea otro destino para ellos.',
  'channel WEBHOOK is not set up: store an endpoint by PUT /admin/alert-settings first.':
    'El webhook no está configurado: guarda antes una dirección.',
  'channel EMAIL is not set up: store recipients by PUT /admin/alert-settings first.':
    'El correo no está configurado: guarda antes destinatarios.',
  'endpoint is required. Send an absolute URL with protocol.':
    'Falta `endpoint`. Indica una dirección absoluta, con https://.',
  '{0} may not be a loopback, private, link-local or metadata address; send a public one, or have the operator set LAUREL_WEBHOOK_ALLOW_PRIVATE=true.':
    '`{0}` no puede ser una dirección local, privada o de metadatos; indica una pública, o que quien opera el servicio ponga LAUREL_WEBHOOK_ALLOW_PRIVATE=true.',
  '{0} may not hold a fragment (#...): it would not be sent.':
    '`{0}` no puede llevar un fragmento (#...): no se enviaría.',
  '{0} may not hold user information: {1}.': '`{0}` no puede llevar usuario ni contraseña: {1}.',
  'send it as a header by authenticationMethodType HEADER':
    'envíalos en una cabecera, con authenticationMethodType HEADER',
  'leave it out: all requests are signed': 'quítalo: todas las peticiones van firmadas',
  '{0} must be an absolute URL with protocol, for example https://example.com/webhooks.':
    '`{0}` debe ser una dirección absoluta, por ejemplo https://example.com/webhooks.',
  'endpoint must begin with https:// where an authenticationValue is sent: this service sends no secret over plain http. Send an https endpoint, or leave the three authentication fields out.':
    '`endpoint` debe empezar por https:// si se envía un secreto: este servicio no envía secretos por http sin cifrar. Indica una dirección https, o quita la autenticación.',
  'endsAt must be later than startsAt.': '`endsAt` debe ser posterior a `startsAt`.',
  'expiresAt must lie in the future.': 'La caducidad debe estar en el futuro.',
  'has no price in points': 'no tiene precio en puntos',
  'has no units available': 'no tiene unidades disponibles',
  'has {0} units available': 'tiene {0} unidades disponibles',
  'has {0} units left': 'tiene {0} unidades',
  'has {0} units left: {1} are allocated to publications and {2} are free{3}':
    'tiene {0} unidades: {1} son de publicaciones y {2} están libres{3}',
  'is archived': 'está archivado',
  'is never open from {0} to {1}, by the clocks of {2}. Change daysOfWeek, timeFrom and timeTo, or move its start or end.':
    'no está abierta nunca del {0} al {1}, según los relojes de {2}. Cambia `daysOfWeek`, `timeFrom` y `timeTo`, o mueve su principio o su final.',
  'is sold out': 'está agotado',
  it: 'a la publicación',
  'it or its agreement': 'a la publicación o a su acuerdo',
  'lets no account count more than {0} by maxPerPeriod before it closes, and its target is {1}. Raise maxPerPeriod, lower target, or {2}.':
    'no deja que ninguna cuenta sume más de {0} antes de cerrarse, por `maxPerPeriod`, y su `target` es {1}. Sube `maxPerPeriod`, baja `target`, o {2}.',
  'maxPerPeriod is below what one period must reach, so no period could: raise it, or lower the target.':
    '`maxPerPeriod` está por debajo de lo que debe alcanzar un periodo, así que ninguno podría: súbelo, o baja lo que se pide.',
  'counts is for AMOUNT events: leave it out, because a SINGLE event always counts as one.':
    '`counts` es para eventos con cantidad: quítalo, porque un evento sin cantidad siempre cuenta como uno.',
  "{0} must be from 2 to {1}, because the reward '{2}' is of type {3}: only POINTS have no such limit.":
    '{0} debe estar entre 2 y {1}, porque la recompensa «{2}» es de tipo {3}: solo los puntos no tienen ese límite.',
  "{0}: the amount of the reward '{1}' depends on {2}, but several events make a round of this mission. Send counts EVENTS, leave out repeat, or send a reward without {3}.":
    '{0}: la cantidad de la recompensa «{1}» depende de {2}, pero varios eventos forman una vuelta de esta misión. Cuenta los eventos, haz que se complete una sola vez o elige una recompensa sin {3}.',
  "'{0}' repeats without an end, so its rewards have no maximum. Send repeat.max, or maxPerPeriod and an end.":
    '«{0}» se repite sin fin, así que sus recompensas no tienen máximo. Limita las veces, o pon un máximo por periodo y un final.',
  'The chests of this reward can contain themselves, so it has no maximum. Change their entries.':
    'Los cofres de esta recompensa pueden contenerse a sí mismos, así que no tiene máximo. Cambia sus entradas.',
  "'{0}' would have counted none of the {1} events {2} of the last {3} days: its condition held for none of them. Check it in the journal.":
    '«{0}» no habría contado ninguno de los {1} eventos {2} de los últimos {3} días: su condición no se cumplió en ninguno. Revísala en el registro de eventos.',
  'maxPerPeriod must be above 0, and a whole number unless the mission adds up amounts.':
    '`maxPerPeriod` debe ser mayor que 0, y un número entero si la misión no suma cantidades.',
  'metadata of an AMOUNT event has one key, amount: leave the others out.':
    'Los metadatos de un evento con cantidad tienen una sola clave, amount: quita las demás.',
  'method must be POST for the {0} webhook.': '`method` debe ser POST en el webhook {0}.',
  'minAmount and maxAmount are for AMOUNT events: leave them out.':
    '`minAmount` y `maxAmount` son para eventos con cantidad: déjalos vacíos.',
  'minAmount must not be above maxAmount.': '`minAmount` no debe ser mayor que `maxAmount`.',
  "mission '{0}'": 'misión «{0}»',
  'move its end': 'mueve su final',
  'name cannot be cleared. Send 1-255 characters.': '`name` no puede quedar vacío. Escribe de 1 a 255 caracteres.',
  'needs {0}, and its window from {1} to {2}, by the calendar of {3}, has {4} of them. Lower {5} to {6} or move its end.':
    'necesita {0}, y su plazo, del {1} al {2} según el calendario de {3}, tiene {4}. Baja {5} a {6} o mueve su final.',
  'newPassword is the current one. Send another.': '`newPassword` es la actual. Escribe otra.',
  'no item': 'ninguna variante',
  'occurredAt is in the future. Send the time at which it happened.':
    '`occurredAt` está en el futuro. Indica cuándo ocurrió.',
  'occurredAt is more than 24 hours ago: the event is too late.':
    '`occurredAt` es de hace más de 24 horas: el evento llega demasiado tarde.',
  'page and limit are required. Send page=1 for the first page.':
    'Faltan page y limit. Indica page=1 para la primera página.',
  'perPeriodTarget must be above 0, and a whole number unless the mission adds up amounts.':
    '`perPeriodTarget` debe ser mayor que 0, y un número entero si la misión no suma cantidades.',
  'endless is for standalone missions: leave it out in a campaign, which could never close.':
    '`endless` es para misiones sueltas: déjalo vacío en una campaña, que no podría cerrarse nunca.',
  'An endless mission is never completed: send its rewards in milestones, and leave rewardIds empty.':
    'Una misión sin final no se completa nunca: pon sus recompensas en hitos y deja `rewardIds` vacío.',
  'milestones are for standalone missions: leave them out in a campaign.':
    'Los hitos son para misiones sueltas: déjalos vacíos en una campaña.',
  'The lengths of milestones must rise.': 'Las longitudes de los hitos deben ir en aumento.',
  'The lengths of milestones must be at most target, which ends the streak.':
    'Las longitudes de los hitos deben ser como máximo `target`, que termina la racha.',
  '{0}: an endless mission has no target: leave target out, or leave out endless.':
    '{0}: una misión sin final no tiene objetivo: deja vacío `target`, o `endless`.',
  'The mission {0} is endless, so no account can complete it. Send prerequisiteMissionIds of other missions.':
    'La misión {0} no tiene final, así que ninguna cuenta puede completarla. Indica `prerequisiteMissionIds` de otras misiones.',
  'productId and itemId belong to PRODUCT_CODES. Leave them out for ACCOUNTS.':
    'El producto y la variante son para importar códigos. Para cuentas, déjalos vacíos.',
  'productId is required for PRODUCT_CODES: the product that gets the codes.':
    'Falta el producto que recibe los códigos.',
  "publication '{0}'": 'publicación «{0}»',
  'raise durationDays': 'sube `durationDays`',
  'raise durationDays or move its end': 'sube `durationDays` o mueve su final',
  "reward '{0}'": 'recompensa «{0}»',
  'rotateSigningSecret makes a new secret for signatures: send signed: true with it, or leave it out.':
    'Un secreto de firma nuevo solo vale si las llamadas se firman: activa la firma, o no pidas otro secreto.',
  'sendWhen is a setting of the rewards webhook: leave it out for {0}.':
    '`sendWhen` es un ajuste del webhook de recompensas: déjalo vacío en {0}.',
  'startsAt must be before endsAt.': '`startsAt` debe ser anterior a `endsAt`.',
  'target must be a whole number: only missions of AMOUNT events other than {0} count in fractions, without counts.':
    '`target` debe ser un número entero: solo cuentan fracciones las misiones de eventos con cantidad que no sean de tipo {0}, sin `counts`.',
  'target must be above 0.': '`target` debe ser mayor que 0.',
  'the access token of a service administrator (`lrl_adm_...`)': 'los permisos de un administrador del servicio',
  "the access token of the client's administrator (`lrl_adm_...`)": 'los permisos de un administrador del cliente',
  'the name of several items': 'el nombre de varias variantes',
  "timeZone '{0}' is unknown. Send an IANA name such as Europe/Madrid.":
    'No se conoce la zona horaria «{0}». Indica un nombre de IANA, como Europe/Madrid.',
  "updateMask names '{0}', which cannot be changed. Allowed: {1}.":
    'Se ha pedido cambiar «{0}», que no puede cambiar. Se puede: {1}.',
  "{0} '{1}' is not a UUID. Send the id that the service returned, or your own id with idType=EXTERNAL.":
    '«{1}» no es el id de una cuenta. Escribe el id que dio el servicio, o elige el id externo.',
  '{0} (at {1})': '{0} (el {1})',
  '{0} Repeat the call after {1} s, and send fewer per second.':
    '{0} Inténtalo dentro de {1} s, y con menos peticiones por segundo.',
  '{0} Set `operationId` in each of `{1}` instead.': '{0} Indica el identificador de operación en cada uno de `{1}`.',
  '{0} accounts': '{0} cuentas',
  '{0} bytes are stored, so the next part begins at offset {1}, not {2}. Offset 0 begins again.':
    'Hay {0} bytes guardados, así que la parte siguiente empieza en {1}, no en {2}. Con 0 se empieza de nuevo.',
  '{0} changed it: you read version {1}, it is at {2} now. Read it again and repeat your change on that.':
    '{0} lo ha cambiado: leíste la versión {1} y ahora va por la {2}. Léelo de nuevo y repite tu cambio.',
  '{0} contains a NUL character. Send it without.': '{0} contiene un carácter NUL. Escríbelo sin él.',
  '{0} contains half of a surrogate pair. Send well-formed Unicode.':
    '{0} contiene media pareja sustituta. Escribe Unicode bien formado.',
  '{0} day': '{0} día',
  '{0} days': '{0} días',
  '{0} earned rewards that wait for stock': '{0} recompensas ganadas que esperan existencias',
  '{0} free units': '{0} unidades libres',
  'Nothing is to change. Send audiences in `joinAudienceIds` or `leaveAudienceIds`.':
    'No hay nada que cambiar. Envía audiencias en `joinAudienceIds` o `leaveAudienceIds`.',
  'The audience {0} is in `joinAudienceIds` and in `leaveAudienceIds`. Send it in one of them.':
    'La audiencia {0} está en `joinAudienceIds` y en `leaveAudienceIds`. Envíala en uno de los dos.',
  '{0} has the role {1}, which may do what your role {2} may not. Ask a holder of {3} to do this.':
    '{0} tiene el rol {1}, que puede hacer lo que tu rol {2} no puede. Pídeselo a alguien con el rol {3}.',
  '{0} has {1} characters, {2} at most are allowed.': '{0} tiene {1} caracteres y se admiten como máximo {2}.',
  '{0} has {1} characters. Send 1-{2}.': '{0} tiene {1} caracteres. Escribe de 1 a {2}.',
  '{0} holds {1} units at most. Send a smaller `quantity`.':
    '{0} admite como máximo {1} unidades. Indica menos en `quantity`.',
  '{0} is done again by each call and takes no header Idempotency-Key, which would protect from nothing. Leave it out.':
    '{0} se repite con cada llamada y no admite la cabecera Idempotency-Key, que no protegería de nada. Quítala.',
  '{0} is empty. Send 1-255 characters.': '{0} está vacío. Escribe de 1 a 255 caracteres.',
  '{0} is for missions of type {1}: leave it out.': '{0} es para misiones de tipo {1}: déjalo vacío.',
  '{0} is many operations and takes no header Idempotency-Key.':
    '{0} son muchas operaciones y no admite la cabecera Idempotency-Key.',
  '{0} may have at most {1} decimals, {2} has more.': '{0} puede tener como máximo {1} decimales; {2} tiene más.',
  '{0} month': '{0} mes',
  '{0} months': '{0} meses',
  '{0} must be a number from {1} to {2}.': '{0} debe ser un número entre {1} y {2}.',
  '{0} and {1}': '{0} y {1}',
  '{0} or {1}': '{0} o {1}',
  '{0} waits for {1}': '{0} espera a {1}',
  '{0} week': '{0} semana',
  '{0} weeks': '{0} semanas',
  "{0} '{1}' is not in the catalogue. Create the event definition first.":
    '{0}: «{1}» no está en el catálogo. Crea antes el evento.',
  '{0}: none of them can ever be completed. Take one of these prerequisites out.':
    '{0}: ninguna de ellas se puede completar nunca. Quita uno de estos requisitos.',
  '{0}: {1}. None of them could ever be completed. Send prerequisites that do not lead back to the mission.':
    '{0}: {1}. Ninguna de ellas podría completarse nunca. Elige requisitos que no lleven de vuelta a la misión.',
  '`journalEntryId` is the `id` of an entry of GET /admin/journal.':
    '`journalEntryId` es el `id` de una entrada de GET /admin/journal.',
  '`journalEntryId` names the event: leave `triggerOperationId` and `programmaticCode` out.':
    '`journalEntryId` ya nombra el evento: deja vacíos `triggerOperationId` y `programmaticCode`.',
  '{0} is left of the event. Send an `amount` of at most that, or leave it out for all that is left.':
    'Del evento quedan {0}. Indica en `amount` como mucho eso, o déjalo vacío para todo lo que queda.',
  "'{0}' is no origin. Did you mean {1}?": '«{0}» no es un origen. ¿Querías decir {1}?',
  "'{0}' is no origin. Origins look like https://shop.example.com.":
    '«{0}» no es un origen. Los orígenes son como https://shop.example.com.',
};
