/** Sentences of the service that stand alone: see `service-messages.ts`. */
export const serviceRefusals: Readonly<Record<string, string>> = {
  'A SINGLE event takes no metadata: send {} instead of the keys {0}.':
    'Un evento simple no lleva metadatos: envía {} en lugar de las claves {0}.',
  'A body may have at most {0} bytes{1}. Send fewer items per call.':
    'Una petición puede tener como máximo {0} bytes{1}. Envía menos elementos cada vez.',
  'A chest of it has been won, so its odds stay what they were. Create another chest definition for other odds.':
    'Alguien ha ganado ya un cofre de estos, así que sus probabilidades se quedan como estaban. Crea otro cofre para otras probabilidades.',
  'A daily {0} cannot have both daysOfWeek and hours that cross midnight: such a night would be two days.':
    'Si el periodo de una misión de tipo {0} es el día, no puede tener a la vez `daysOfWeek` y un horario que pase de medianoche: esa noche serían dos días.',
  'A file may have at most 4 GiB. Split it, with its header.':
    'Un archivo puede tener como máximo 4 GiB. Divídelo, con su cabecera.',
  'A guaranteed entry has no `weight`. Leave one of the two out.':
    'Un contenido garantizado no tiene `weight`. Quita uno de los dos.',
  'A mission cannot require itself: remove it from prerequisiteMissionIds.':
    'Una misión no puede exigirse a sí misma: quítala de `prerequisiteMissionIds`.',
  'A product holds {0} units at most and this one has {1}. Send a smaller `quantity`.':
    'Un producto admite como máximo {0} unidades y este tiene {1}. Indica menos en `quantity`.',
  'A publication': 'Una publicación',
  "A repeat of the operation '{0}' was refused while this call was under way, so this one has no effect. Retry with backoff and the same operationId.":
    'Una repetición de la operación «{0}» se rechazó mientras esta estaba en curso, así que esta no tiene efecto. Inténtalo de nuevo dentro de un momento con el mismo identificador de operación.',
  'A reward of type {0} needs a `{1}`.': 'Una recompensa de tipo {0} necesita `{1}`.',
  'A text contains a NUL character. Send it without.': 'Un texto contiene un carácter NUL. Escríbelo sin él.',
  "A value for '{0}' must be {1}.": 'Un valor de «{0}» debe ser {1}.',
  'A {0} in a campaign needs occurrences: without them the campaign could never close.':
    'Una misión de tipo {0} en una campaña necesita `occurrences`: sin eso la campaña no podría cerrarse nunca.',
  'A {0} needs a window: send endsAt or durationDays, or make it a MISSION.':
    'Una misión de tipo {0} necesita un plazo: indica `endsAt` o `durationDays`, o cambia el tipo a Misión.',
  "Accounts hold {0} units of '{1}' back. Wait until they buy or give them back.":
    'Las cuentas tienen reservadas {0} unidades de «{1}». Espera a que las compren o las devuelvan.',
  'Add codes to it.': 'Añádele códigos.',
  'Add stock to it.': 'Añádele existencias.',
  'Add stock to {0} before you publish it.': 'Añade existencias {0} antes de publicarla.',
  'Add units to the product first.': 'Añade antes unidades al producto.',
  'An ACCESS_TOKEN has the role CLIENT_ADMIN or SERVICE_ADMIN.':
    'Un token de acceso tiene el rol de administrador o de administrador del servicio.',
  'An AMOUNT event needs metadata.amount, a number: {"amount": 12.5}.':
    'Un evento con cantidad necesita metadata.amount, un número: {"amount": 12.5}.',
  'An API_KEY always has the role INTEGRATOR: leave role out, or create an ACCESS_TOKEN.':
    'Una clave de API tiene siempre el rol de integrador: no indiques el rol, o crea un token de acceso.',
  'An access token has no password. Sign in, and send the token of the session.':
    'Un token de acceso no tiene contraseña. Inicia sesión y usa el token de la sesión.',
  'An administrator made this password. Replace it by SessionService.ChangePassword first.':
    'Esta contraseña la creó un administrador. Cámbiala primero por otra.',
  'An agreement': 'Un acuerdo',
  'An entry needs a `weight` from 1, or `guaranteed`.': 'Un contenido necesita `weight` desde 1, o `guaranteed`.',
  "Another account has the externalId '{0}'. Resolve that one, or send another externalId.":
    'Otra cuenta tiene ya en `externalId` el valor «{0}». Usa esa cuenta, o indica otro valor.',
  'Another upload of this import has begun, or the import was cancelled. Read it, and continue at its `bytes`.':
    'Ha empezado otra subida de esta importación, o se ha cancelado. Léela de nuevo y continúa donde quedó.',
  'Archive the rewards, unpublish the publications and restock for those who wait first.':
    'Archiva antes las recompensas, retira las publicaciones y repón existencias para quienes esperan.',
  'Archive these rewards first.': 'Archiva antes estas recompensas.',
  'Ask for fewer, or later.': 'Pide menos, o más tarde.',
  'Delete the drafts among them, or keep the definition.': 'Borra los que sean borradores, o conserva el evento.',
  'Delete those that are drafts, change the expressions, or keep the audience.':
    'Borra los que sean borradores, cambia las expresiones, o conserva la audiencia.',
  'Earlier events of the account wait for it.': 'Antes tienen que aplicarse otros eventos de la cuenta.',
  'End the campaigns, or archive the chests first.': 'Termina antes las campañas, o archiva los cofres.',
  'Every draw brings this chest again: {0}.': 'Cada sorteo trae de nuevo este cofre: {0}.',
  'Some draws bring this chest again: {0}.': 'Algunos sorteos traen de nuevo este cofre: {0}.',
  'The reservation holds nothing any more: it was given back or bought, or its time ran out.':
    'La reserva ya no retiene nada: se devolvió, se compró o se acabó su tiempo.',
  "The reward '{0}' is archived. Give another one.": 'La recompensa «{0}» está archivada. Da otra.',
  "The account has earned the reward '{0}' already and gets it once only. Give another one.":
    'La cuenta ya ganó la recompensa «{0}» y la recibe una sola vez. Da otra.',
  'Every account is in this audience. Name a MANUAL one, or none.':
    'Todas las cuentas están en esta audiencia. Elige una por asignación, o ninguna.',
  'Every account is in this audience: nothing to assign or remove.':
    'Todas las cuentas están en esta audiencia: no hay nada que asignar ni quitar.',
  'It is in use: {0}{1}. {2}': 'Está en uso: {0}{1}. {2}',
  'It never runs out.': 'No se agota nunca.',
  'Keep the missions that come before these, or take them out of the prerequisites first.':
    'Conserva las misiones que van antes de estas, o quítalas antes de sus requisitos.',
  'Leave it out and add codes afterwards.': 'Déjalo vacío y añade los códigos después.',
  'Leave it out.': 'Déjalo vacío.',
  'No account was changed, because these are unknown: {0}{1}.':
    'No se ha cambiado ninguna cuenta, porque estas no se conocen: {0}{1}.',
  'No code was withdrawn, because accounts have these: {0}. Leave them out.':
    'No se ha retirado ningún código, porque estos los tienen cuentas: {0}. Quítalos.',
  'No code was withdrawn, because the product does not have these: {0}.':
    'No se ha retirado ningún código, porque el producto no tiene estos: {0}.',
  'No code was withdrawn. Send {0} at most, or withdraw units from publications first.':
    'No se ha retirado ningún código. Indica {0} como máximo, o retira antes unidades de las publicaciones.',
  'No credential was sent. Send the header `Authorization: Bearer <API_KEY>`.':
    'No se ha enviado ninguna credencial. Inicia sesión.',
  'No user has this e-mail. Ask an administrator to create one.':
    'Ningún usuario tiene este correo. Pide a un administrador que lo cree.',
  'No {0} webhook is configured; store one by PUT /webhooks/{1}.':
    'No hay ningún webhook de tipo {0} configurado; configúralo primero.',
  'Nobody disables or demotes oneself. Ask another administrator to do it.':
    'Nadie se desactiva ni se quita permisos a sí mismo. Pídeselo a otro administrador.',
  'Nobody is in its audiences yet.': 'Todavía no hay nadie en sus audiencias.',
  'Nothing counts before {0}.': 'Nada cuenta antes del {0}.',
  'Only a service administrator may act for another client. Leave the header `Laurel-Client-Id` out.':
    'Solo un administrador del servicio puede actuar por otro cliente. Vuelve a tu cliente.',
  'Only what was bought can be taken back; this one is from {0}.':
    'Solo se puede devolver lo comprado; esto viene de: {0}.',
  'People sign in over https only. Put a proxy with TLS in front that sends `X-Forwarded-Proto: https`, or, in a network that you trust, start the service with LAUREL_INSECURE_COOKIES=true.':
    'Solo se puede iniciar sesión por https. Pon delante un proxy con TLS que envíe `X-Forwarded-Proto: https` o, en una red de confianza, arranca el servicio con LAUREL_INSECURE_COOKIES=true.',
  'Points that are taken are not earned. Leave `earned` out, or send a positive `amount`.':
    'Los puntos que se quitan no son ganados. No los marques como ganados, o indica en `amount` un número positivo.',
  'Points that are taken do not expire. Leave `expiresInDays` out, or send a positive `amount`.':
    'Los puntos que se quitan no caducan. Deja vacío `expiresInDays`, o indica en `amount` un número positivo.',
  'Send a `quantity` of {0} at most, or withdraw units from publications first.':
    'Indica {0} como máximo en `quantity`, o retira antes unidades de las publicaciones.',
  'Withdraw units from publications first.': 'Retira antes unidades de las publicaciones.',
  'Send a {0} of {1} at most, or add units to the product first.':
    'Indica {1} como máximo en {0}, o añade antes unidades al producto.',
  'Somebody else': 'Otra persona',
  'Something else is changing the account. Repeat the call later.':
    'La cuenta se está cambiando en este momento. Inténtalo más tarde.',
  'Take the missions of this campaign out of their prerequisites first.':
    'Quita antes las misiones de esta campaña de los requisitos de esas.',
  'Too many people sign in at this moment. Repeat the call in a second.':
    'En este momento inicia sesión demasiada gente. Inténtalo dentro de un segundo.',
  'Too many sign-ins from this address have failed. Try again after {0}.':
    'Han fallado demasiados inicios de sesión desde esta dirección. Inténtalo después del {0}.',
  'Too many unknown credentials came from this address.':
    'Han llegado demasiadas credenciales desconocidas desde esta dirección.',
  'All {0} places for streams without a credential are taken. Repeat the call after 1 s.':
    'Los {0} sitios para flujos sin credencial están ocupados. Repite la llamada dentro de 1 s.',
  'The password is right. Send it again with secondFactor: the code that the authenticator app shows, or a recovery code.':
    'La contraseña es correcta. Envíala de nuevo con `secondFactor`: el código que muestra la aplicación de autenticación, o un código de recuperación.',
  'The code is wrong, too old, or was used before. Send the next one that the app shows, or a recovery code that has not been used.':
    'El código es incorrecto, demasiado antiguo o ya se ha usado. Escribe el siguiente que muestre la aplicación, o un código de recuperación sin usar.',
  'Send either type, for a webhook, or endpointId, for an endpoint.':
    'Indica o bien `type`, para un webhook, o bien `endpointId`, para un destino.',
  'There is a second factor already. Switch it off first.': 'Ya hay un segundo factor. Desactívalo antes.',
  'You have no second factor yourself. Set one up first, in the settings of the console or by SessionService.BeginSecondFactor and ConfirmSecondFactor; then send `requireSecondFactor` again.':
    'Tú no tienes segundo factor. Configura antes uno en los ajustes y vuelve a intentarlo.',
  'The client requires a second factor of whoever signs in by password, and you have none. Set one up in the console, or by SessionService.BeginSecondFactor and ConfirmSecondFactor; then go on.':
    'El cliente exige un segundo factor a quien entra con contraseña, y no tienes ninguno. Configúralo en la consola y sigue después.',
  'There is no second factor, or none that waits to be confirmed.':
    'No hay segundo factor, o ninguno que esté pendiente de confirmar.',
  'The key that the secret of this second factor was sealed under is not configured. Send a recovery code, or ask an administrator to reset the second factor.':
    'La clave con la que se cifró el secreto de este segundo factor no está configurada. Escribe un código de recuperación, o pide a un administrador que restablezca el segundo factor.',
  'Nobody resets the own second factor. Switch it off in the settings, with password and code.':
    'Nadie restablece su propio segundo factor. Desactívalo en los ajustes, con contraseña y código.',
  'Too many wrong codes were sent for this user. Try again after {0}, or with a browser that has signed in before, or ask an administrator to reset the second factor.':
    'Se han enviado demasiados códigos equivocados para este usuario. Inténtalo después del {0}, o con un navegador que ya haya iniciado sesión, o pide a un administrador que restablezca el segundo factor.',
  'Too many wrong passwords were sent for this user. Try again after {0}, or with a browser that has signed in before, or ask an administrator for a new password.':
    'Se han enviado demasiadas contraseñas equivocadas para este usuario. Inténtalo después del {0}, o con un navegador que ya haya iniciado sesión antes, o pide a un administrador una contraseña nueva.',
  'Two missions have the same id. Send each mission once.':
    'Dos misiones tienen el mismo id. Envía cada misión una sola vez.',
  "Units of '{0}' have been sold, and their receipts name it. Leave it a draft.":
    'Se han vendido unidades de «{0}», y sus recibos la nombran. Déjala sin publicar.',
  'The `amount` of a reward of type {0} must be 1.': 'La `amount` de una recompensa de tipo {0} debe ser 1.',
  'The `amount` of a reward of type {0} must be a whole number from 1 to {1}.':
    'En una recompensa de tipo {0}, `amount` debe ser un número entero de 1 a {1}.',
  "The `entries` would make the chest lead to itself in every draw: {0}. Send another reward for one of these, or a `weight` below its chest's `totalWeight`.":
    'Con este contenido el cofre llevaría a sí mismo en cada sorteo: {0}. Elige otra recompensa en uno de ellos, o deja peso para que no salga nada.',
  'The account has claimed this campaign. my-rewards lists what it got.':
    'La cuenta ya ha reclamado esta campaña. Lo que recibió está entre sus recompensas.',
  'The account has no chest {0}.': 'La cuenta no tiene el cofre {0}.',
  'The account has the reward already: only what waits for stock can be cancelled or delivered.':
    'La cuenta ya tiene la recompensa: solo se puede cancelar o entregar lo que espera existencias.',
  'The account has yet to complete missions of this campaign.':
    'A la cuenta le quedan misiones de esta campaña por completar.',
  "The account of operation '{0}' was erased, and the answer with it. Send no repeats for it.":
    "La cuenta de la operación '{0}' se borró, y con ella la respuesta. No la repitas más.",
  'The account of the redemption has been deleted.': 'La cuenta del canje se ha borrado.',
  'The account {0} was deleted. Cancel the reward instead.': 'La cuenta {0} se ha borrado. Cancela la recompensa.',
  'The answer is full after the first {0} events, so this one was not applied. Send it again in another batch.':
    'La respuesta está llena tras los primeros {0} eventos, así que este no se aplicó. Envíalo de nuevo en otro lote.',
  'The body is not valid {0}, which its Content-Encoding promises.':
    'El contenido no es {0} válido, como promete su Content-Encoding.',
  'The body is not valid {0}, which its {1} promises.': 'El contenido no es {0} válido, como promete su {1}.',
  'The campaign closes automatically: its rewards need no claim.':
    'La campaña se cierra por sí misma: sus recompensas no se reclaman.',
  'The campaign has been active, so these cannot change any more: {0}. Send them as they are, or duplicate it.':
    'La campaña ha estado activa, así que esto ya no puede cambiar: {0}. Déjalo como está, o duplica la campaña.',
  'The campaign has ended for good.': 'La campaña ha terminado para siempre.',
  'The campaign has ended for good. Create a new one from it.':
    'La campaña ha terminado para siempre. Crea una nueva a partir de ella.',
  'The campaign has ended for good. Duplicate it instead.': 'La campaña ha terminado para siempre. Duplícala.',
  'The campaign has no mission {0}. Send ids of its missions; leave the id of a new one out.':
    'La campaña no tiene la misión {0}. Puede que alguien la haya quitado: lee la campaña de nuevo.',
  'The campaign is a {0}. Activate it first.': 'El estado de la campaña es {0}. Actívala primero.',
  'The campaign is over before it begins. Move its end into the future.':
    'La campaña termina antes de empezar. Mueve su final al futuro.',
  'The campaign is paused. Claim it when it resumes.': 'La campaña está en pausa. Reclámala cuando continúe.',
  'The campaign is {0}, and accounts have seen it. Only a DRAFT can be deleted; end this one.':
    'El estado de la campaña es {0}, y las cuentas la han visto. Solo se puede borrar un borrador; termina esta.',
  "The catalogue has '{0}' already. Send another programmaticCode.": 'El catálogo ya tiene «{0}». Indica otro código.',
  'The changed user': 'El usuario cambiado',
  "The chest '{0}' is archived. Send another one.": 'El cofre «{0}» está archivado. Elige otro.',
  "The chest was opened at {0}. What it held is among the account's earned rewards.":
    'El cofre se abrió el {0}. Lo que contenía está entre las recompensas de la cuenta.',
  "The code '{0}' would have {1} active missions; it may have {2}. End or pause others that count it first, or use another event code.":
    'El evento «{0}» tendría {1} misiones activas y puede tener {2}. Termina o pausa antes otras que lo cuenten, o usa otro evento.',
  'The client has 20 webhook endpoints already. Delete one first, or let one receive more types.':
    'El cliente ya tiene 20 destinos. Elimina antes uno, o haz que uno reciba más tipos de cambios.',
  'The endpoint {0} of the message was deleted. Let the integrator read the rewards, missions, publications or products instead.':
    'El destino {0} del mensaje se eliminó. Que quien integra lea en su lugar las recompensas, misiones, publicaciones o productos.',
  'The code has {0} characters, {1} at most are allowed.':
    'El código tiene {0} caracteres y se admiten como máximo {1}.',
  'The code is empty. Send 1-255 characters.': 'El código está vacío. Escribe de 1 a 255 caracteres.',
  "The condition on '{0}' has no value. Send one, or null for absence.":
    'La condición sobre «{0}» no tiene valor. Indica uno, o null si debe faltar.',
  "The condition on '{0}' has {1} values. Send at most {2}.":
    'La condición sobre «{0}» tiene {1} valores. Indica {2} como máximo.',
  'The connection to the database was lost before it confirmed. Read the state, or repeat the call with the same operation id.':
    'Se perdió la conexión con la base de datos antes de que confirmara. Comprueba cómo ha quedado antes de repetirlo.',
  'The credential expired at {0}. Send one that is still valid.':
    'La credencial caducó el {0}. Usa una que sea válida todavía.',
  'The credential has been revoked. Send one that is still valid.':
    'La credencial se ha revocado. Usa una que sea válida todavía.',
  'The credential is malformed: it was mistyped or cut short.':
    'La credencial tiene mal la forma: está mal escrita o incompleta.',
  'The credential is not known. Send one that was issued here.':
    'La credencial no se conoce. Usa una que se haya creado aquí.',
  'The database cannot be reached, nothing was stored. Repeat the call later.':
    'No se llega a la base de datos; no se ha guardado nada. Inténtalo más tarde.',
  'The database has no room left, nothing was stored. Repeat the call later; the operator of the service must make room.':
    'La base de datos no tiene espacio; no se ha guardado nada. Inténtalo más tarde; quien opera el servicio debe hacer sitio.',
  'The database is busy, nothing was stored. Repeat the call later.':
    'La base de datos está ocupada; no se ha guardado nada. Inténtalo más tarde.',
  'The e-mail or the password is wrong. Try again; after five wrong passwords one has to wait longer each time.':
    'El correo o la contraseña no son correctos. Inténtalo de nuevo; tras cinco contraseñas equivocadas hay que esperar cada vez más.',
  'The members of an audience are given whole, by id. Send audienceId alone, or leave it out.':
    'Los miembros de una audiencia se dan enteros, por id. Envía solo audienceId, o déjalo fuera.',
  "This list has no search. Leave 'search' out.": "Esta lista no tiene búsqueda. Deja fuera 'search'.",
  "orderBy names no column that this list can be ordered by. Send one of these, with ' desc' after it for the highest first: {0}.":
    "orderBy no nombra ninguna columna por la que se pueda ordenar esta lista. Envía una de estas, con ' desc' detrás para empezar por la más alta: {0}.",
  "The field '{0}' is not filterable here. Allowed: {1}.":
    'Aquí no se puede filtrar por el campo «{0}». Se puede por: {1}.',
  'The first message must name the import: a UUID.': 'El primer mensaje debe indicar el UUID de la importación.',
  'The header Idempotency-Key and `operationId` differ. Send one of them, or the same in both.':
    'La cabecera Idempotency-Key y el identificador de operación son distintos. Envía uno de ellos, o el mismo en ambos.',
  'The header Idempotency-Key begins with a quote and is no quoted string. Send "key" or key.':
    'La cabecera Idempotency-Key empieza con comillas que no se cierran. Envía "clave" o clave.',
  'The header Idempotency-Key must have 1-{0} printable ASCII characters.':
    'La cabecera Idempotency-Key debe tener de 1 a {0} caracteres ASCII imprimibles.',
  'The header Idempotency-Key was sent more than once. Send it once.':
    'La cabecera Idempotency-Key se envió más de una vez. Envíala una sola.',
  'The header `Authorization` must read `Bearer <API_KEY>`, with one space.':
    'La cabecera `Authorization` debe ser `Bearer <API_KEY>`, con un espacio.',
  'The header `Host` is missing. HTTP/1.1 asks for one.': 'Falta la cabecera `Host`, que HTTP/1.1 exige.',
  'The header `Laurel-Client-Id` must be the UUID of a client.':
    'La cabecera `Laurel-Client-Id` debe ser el UUID de un cliente.',
  'The import is {0} already: there is nothing to stop.':
    'El estado de la importación ya es {0}: no hay nada que parar.',
  'The import takes no more bytes: it is {0}. Create another for another file.':
    'La importación no admite más datos: su estado es {0}. Crea otra para otro archivo.',
  'The log does not have what was sent any more. Let the integrator read the rewards or publications instead.':
    'El registro ya no guarda lo que se envió. El integrador puede leer las recompensas o las publicaciones.',
  'The message waits to be sent already. Look at the log in a moment.':
    'El mensaje ya está en espera de envío. Mira el registro dentro de un momento.',
  'The metrics ask for the token of this service: send `Authorization: Bearer <LAUREL_METRICS_TOKEN>`.':
    'Las métricas piden el token de este servicio: envía `Authorization: Bearer <LAUREL_METRICS_TOKEN>`.',
  'The mission is offered, so these cannot change any more: {0}. Send them as they are, or end it and create another.':
    'La misión ya se ofrece, así que esto ya no puede cambiar: {0}. Déjalo como está, o termínala y crea otra.',
  'The new credential': 'La credencial nueva',
  'The new user': 'El usuario nuevo',
  "The operation '{0}' is being processed. Retry with backoff and the same operationId.":
    'La operación «{0}» está en curso. Inténtalo de nuevo dentro de un momento con el mismo identificador de operación.',
  "The operationId '{0}' was used before with other content. Send a new operationId for a new operation.":
    'El identificador de operación «{0}» se usó antes con otro contenido. Usa uno nuevo para una operación nueva.',
  "The product '{0}' has no fragments. Send a product that has `fragmentsRequired`.":
    'El producto «{0}» no tiene fragmentos. Elige uno que tenga `fragmentsRequired`.',
  "The product '{0}' is archived. Send another one.": 'El producto «{0}» está archivado. Elige otro.',
  "The product '{0}' {1}. Ask for fewer, or later.": 'El producto «{0}» {1}. Pide menos, o más tarde.',
  "The product '{0}' {1}. Choose one that is sold for points.":
    'El producto «{0}» {1}. Elige uno que se venda por puntos.',
  "The product '{0}' {1}. {2}": 'El producto «{0}» {1}. {2}',
  'The product has no item {0}. Send one of its items, or leave `itemId` out: {1}.':
    'El producto no tiene la variante {0}. Elige una de las suyas, o ninguna: {1}.',
  'The product has no item {0}. Send one of its items, or leave it out.':
    'El producto no tiene la variante {0}. Elige una de las suyas, o ninguna.',
  'The provider does not vouch for this e-mail.': 'El proveedor no garantiza este correo.',
  "The publication '{0}' has {1} units{2}. Send a `quantity` of {3} at most.":
    'La publicación «{0}» tiene {1} unidades{2}. Indica {3} como máximo en `quantity`.',
  "The publication '{0}' is a DRAFT and cannot be bought. Choose a published one.":
    'La publicación «{0}» no está publicada y no se puede comprar. Elige una publicada.',
  "The publication '{0}' {1}. {2}": 'La publicación «{0}» {1}. {2}',
  'The redemption has been taken back already.': 'El canje ya se ha cancelado.',
  'The request ended before its body was complete. Send it again.':
    'La petición terminó antes de estar completa. Envíala de nuevo.',
  'The request ended before its body was complete. What was stored stays.':
    'La petición terminó antes de estar completa. Lo guardado se conserva.',
  "The reward '{0}' ({1}) is archived. Send another one.": 'La recompensa «{0}» ({1}) está archivada. Elige otra.',
  "The reward '{0}' is archived. Choose another.": 'La recompensa «{0}» está archivada. Elige otra.',
  'The reward needs {0}. Add units to the product first.':
    'La recompensa necesita {0}. Añade antes unidades al producto.',
  '{0}: the reward {1} is archived. Send another one.': '{0}: la recompensa {1} está archivada. Elige otra.',
  'The service holds as many request bodies as it has room for. Repeat the call in a second.':
    'El servicio tiene ahora todas las peticiones que le caben. Inténtalo dentro de un segundo.',
  'The session has ended. Sign in again.': 'La sesión ha terminado. Inicia sesión de nuevo.',
  'The sign-in took more than ten minutes, or began in another browser. Begin it again.':
    'El inicio de sesión tardó más de diez minutos, o empezó en otro navegador. Empieza de nuevo.',
  'The sign-in was called off at the provider. Begin it again.':
    'El inicio de sesión se canceló en el proveedor. Empieza de nuevo.',
  "The units of '{0}' are counted as {1}. {2}": 'Las unidades de «{0}» se cuentan así: {1}. {2}',
  'The work took longer than it may, nothing was stored. Repeat the call later, or with less at once.':
    'El trabajo duró más de lo permitido; no se ha guardado nada. Inténtalo más tarde, o con menos de una vez.',
  'This client has a user with the e-mail {0} already. Change that one, or send another e-mail.':
    'Este cliente ya tiene un usuario con el correo {0}. Cambia ese, o indica otro correo.',
  'This credential': 'Esta credencial',
  'This credential has used up its {0} requests a second.':
    'Esta credencial ha agotado sus {0} peticiones por segundo.',
  'This is the value of a cookie. Send the access token.': 'Esto es el valor de una cookie. Usa el token de acceso.',
  'This operation needs {0}.': 'Esta operación necesita {0}.',
  '{0} imports have not ended, and a client may have {1}. Wait for one to end, or cancel one.':
    '{0} importaciones no han terminado, y un cliente puede tener {1}. Espera a que termine una, o cancela una.',
  '{0} bytes of files wait to be loaded, and a client may have {1}. Wait for an import to end or cancel one, and continue at its `bytes`.':
    '{0} bytes de archivos esperan a cargarse, y un cliente puede tener {1}. Espera a que termine una importación o cancela una, y sigue en sus `bytes`.',
  'This gives {0} points back. A balance holds at most {1}, and this one has room for {2} more. Take the rest away first, by AdjustPoints.':
    'Esto devuelve {0} puntos. Un saldo admite {1} como máximo, y en este caben {2} más. Quita antes el resto, ajustando los puntos.',
  '`amount` is {0}. A balance holds at most {1} points, and this one has room for {2} more.':
    '`amount` es {0}. Un saldo admite {1} puntos como máximo, y en este caben {2} más.',
  'This takes {0} points and the account has {1}. Ask for less, or try again when the account has earned more.':
    'Hacen falta {0} puntos y la cuenta tiene {1}. Pide menos, o inténtalo cuando la cuenta haya ganado más.',
  'This user': 'Este usuario',
  'This user has been disabled. Ask an administrator to enable it again.':
    'Este usuario está desactivado. Pide a un administrador que lo active de nuevo.',
  'Your role {0} does not have the permission {1}. Ask an administrator to do this, or for another role.':
    'Tu rol {0} no tiene el permiso {1}. Pide a un administrador que lo haga, o que te dé otro rol.',
  'You have no open session {0}. It may have ended already.':
    'No tienes ninguna sesión abierta {0}. Puede que ya se haya cerrado.',
  'newPassword is among the passwords that are tried first. Send four or more words that do not belong together, or one that a password manager made.':
    'newPassword está entre las contraseñas que se prueban primero. Indica cuatro o más palabras sin relación entre sí, o una hecha por un gestor de contraseñas.',
  'The chain of the audit log ends at position {0}, before {1}. Send an `after` up to that. If {2} is from an export, the database was put back to an earlier state, and what was exported since is no longer in it.':
    'La cadena del registro de auditoría termina en la posición {0}, antes de {1}. Envía en `after` una posición hasta esa. Si {2} viene de una exportación, la base de datos volvió a un estado anterior y ya no tiene lo exportado desde entonces.',
  'cursor: Send `nextCursor` of an answer as it is, or leave it out for the first page.':
    'cursor: Envía el `nextCursor` de una respuesta tal cual, u omítelo para la primera página.',
  'A streak or a routine counted the event before this release, which did not store what a reversal needs. Correct it by hand.':
    'Una racha o una rutina contó el evento antes de esta versión, que no guardaba lo necesario para deshacerlo. Corrígelo a mano.',
  'Name the event by `triggerOperationId` and `programmaticCode`, or by `journalEntryId`.':
    'Nombra el evento con `triggerOperationId` y `programmaticCode`, o con `journalEntryId`.',
  "No event '{0}' with the operationId '{1}' is known. Name an old event by journalEntryId.":
    'No se conoce ningún evento «{0}» con el identificador de operación «{1}». Nombra un evento antiguo con `journalEntryId`.',
  'The event is a dead trigger: leave `amount` out to remove it, or replay it before you take a part back.':
    'El evento no se pudo aplicar: deja vacío `amount` para quitarlo, o repítelo antes de deshacer una parte.',
  'The journal does not have this event any more, so it cannot be taken back. Correct what it did by hand.':
    'El registro ya no tiene este evento, así que no se puede deshacer. Corrige a mano lo que hizo.',
  'The account is suspended: it gets and spends nothing until support resumes it.':
    'La cuenta está suspendida: no recibe ni gasta nada hasta que soporte la reactive.',
  'Name the events by `journalEntryIds`, or by the span that begins at `since`.':
    'Nombra los eventos con `journalEntryIds`, o con el periodo que empieza en `since`.',
  '`journalEntryIds` names the events: leave `since`, `until` and `programmaticCode` out.':
    '`journalEntryIds` nombra los eventos: deja vacíos `since`, `until` y `programmaticCode`.',
  '`journalEntryIds` are the `id`s of entries of GET /admin/journal.':
    '`journalEntryIds` son los `id` de las entradas de GET /admin/journal.',
  'The journal has no such entry of this account, or does not have it any more. GET /admin/journal has the ids.':
    'El registro no tiene esa entrada de esta cuenta, o ya no la tiene. GET /admin/journal da los identificadores.',
  'The event waits, because its account is suspended: leave `amount` out to remove it, or repeat the call once the account is resumed.':
    'El evento espera porque su cuenta está suspendida: deja vacío `amount` para quitarlo, o repite la llamada cuando se reactive.',
  'A backfilled event needs occurredAt: the time at which it happened.':
    'Un evento que se carga después necesita occurredAt: el momento en que ocurrió.',
  'Only an import of type EVENTS can be taken back; this one is {0}.':
    'Solo se puede deshacer una importación de tipo EVENTS; esta es {0}.',
  'The client sells no streak freezes. An administrator sets `streaks.freezePrice` first: PUT /admin/clients/{id}.':
    'El cliente no vende protectores de racha. Antes, un administrador pone `streaks.freezePrice`: PUT /admin/clients/{id}.',
  'The account has {0} streak freezes, and room for {1} more. Ask for at most so many.':
    'La cuenta tiene {0} protectores de racha y sitio para {1} más. Pide como máximo esos.',
  'For the account the first possible day is {0}. A day that has begun cannot become a vacation.':
    'Para la cuenta, el primer día posible es {0}. Un día que ya empezó no puede ser de vacaciones.',
  'The account would have {0} days of vacation in {1}, of at most {2}. Announce fewer days of that year.':
    'La cuenta tendría {0} días de vacaciones en {1}, de {2} como máximo. Anuncia menos días de ese año.',
  'A vacation ends after it begins: `until` is the first day after it.':
    'Unas vacaciones acaban después de empezar: `until` es el primer día después de ellas.',
  '`since` and `until` are dates of the calendar, such as 2026-07-01.':
    '`since` y `until` son fechas del calendario, como 2026-07-01.',
  'A vacation ends within two years. Announce later days later.':
    'Unas vacaciones acaban antes de dos años. Anuncia más tarde los días posteriores.',
  'There is no such mission, or it is switched off. List the existing ones.':
    'No existe esa misión, o está desactivada. Consulta las que hay.',
  'The mission is no STREAK: there is no run to restore.': 'La misión no es una racha: no hay nada que restaurar.',
  'The streak is not open to the account now: it is completed or over, or its campaign is paused.':
    'La racha no está abierta ahora para la cuenta: se completó o terminó, o su campaña está en pausa.',
  'No lost run of the streak is known: fill in `length`.': 'No se conoce ninguna racha perdida: rellena `length`.',
  'A restored run completes no streak: `length` must be below its target.':
    'Una racha restaurada no completa la misión: `length` debe ser menor que su meta.',
  'A milestone gives something: send its rewardIds or freezes.': 'Un hito da algo: indica sus `rewardIds` o `freezes`.',
  '`cursor` is not a `nextCursor` of this list. Leave it out for the first page.':
    '`cursor` no es un `nextCursor` de esta lista. Déjalo vacío para la primera página.',
  'The client takes no backfill. An administrator sets `backfillDaysMax` above 0 first: PUT /admin/clients/{id}.':
    'El cliente no admite cargas posteriores. Antes, un administrador pone `backfillDaysMax` por encima de 0: PUT /admin/clients/{id}.',
  'The import ended more than {0} days ago. Take its events back one by one.':
    'La importación terminó hace más de {0} días. Deshaz sus eventos uno a uno.',
  'The import is a rehearsal: it has changed nothing.': 'La importación es un ensayo: no ha cambiado nada.',
  'The import is {0}: cancel it first, or wait until it has ended.':
    'La importación está en {0}: cancélala antes, o espera a que termine.',
  'Your role {0} does not have the permission BACKFILL, which an import of type EVENTS needs. Ask an administrator to do this.':
    'Tu rol {0} no tiene el permiso BACKFILL, que necesita una importación de tipo EVENTS. Pide a un administrador que lo haga.',
  'audienceId, productId and itemId belong to other types. Leave them out for EVENTS.':
    'audienceId, productId e itemId son de otros tipos. Omítelos para EVENTS.',
  'idType must be INTERNAL or EXTERNAL.': 'idType debe ser INTERNAL o EXTERNAL.',
  'occurredAt is more than {0} days ago, the `backfillDaysMax` of the client: the event is too late.':
    'occurredAt es de hace más de {0} días, el `backfillDaysMax` del cliente: el evento llega demasiado tarde.',
  'occurredAt must be a moment with its zone, for example 2026-11-25T08:00:00Z.':
    'occurredAt debe ser un momento con su zona, por ejemplo 2026-11-25T08:00:00Z.',
  'operationId has {0} characters, {1} at most are allowed.':
    'operationId tiene {0} caracteres; se admiten {1} como máximo.',
  'rewards, webhooks and dryRun belong to EVENTS. Leave them out for other types.':
    'rewards, webhooks y dryRun son de EVENTS. Omítelos para otros tipos.',
  '{0} is empty.': '{0} está vacío.',
  'No merge into this account has the id. GET /accounts/{accountId}/merges has the ids.':
    'Ninguna unión con esta cuenta tiene ese id. GET /accounts/{accountId}/merges da los ids.',
  'The accounts have {0} and {1} points, and a balance holds at most {2}. Take some away first, by AdjustPoints.':
    'Las cuentas tienen {0} y {1} puntos, y un saldo admite como máximo {2}. Quita antes algunos con AdjustPoints.',
  'The merge cannot be undone: {0}. Correct the accounts by hand.':
    'La unión no se puede deshacer: {0}. Corrige las cuentas a mano.',
  '`accountId` and `intoAccountId` name one account: there is nothing to merge.':
    '`accountId` e `intoAccountId` nombran la misma cuenta: no hay nada que unir.',
  'Change the expressions first.': 'Cambia antes las expresiones.',
  'Change the expressions, or delete the level tracks first.':
    'Cambia antes las expresiones, o elimina las series de niveles.',
  'The client has {0} level tracks, the most that it may have. Delete one first.':
    'El cliente tiene {0} series de niveles, las máximas que puede tener. Elimina antes una.',
  "There is a level track '{0}' already. Send another code.": 'Ya hay una serie de niveles «{0}». Envía otro código.',
  'The client has {0} leaderboards, the most that it may have. Delete one first.':
    'El cliente tiene {0} clasificaciones, el máximo. Elimina una antes.',
  'There is no leaderboard {0}.': 'No hay ninguna clasificación {0}.',
  'The leaderboard has no run {0}.': 'La clasificación no tiene el periodo {0}.',
  'Statistic, order, audiences, lateHours and leagues are fixed from the activation on, and these differ: {0}. Send them as they are, or create another leaderboard.':
    'La estadística, el orden, las audiencias, lateHours y las ligas no cambian después de la activación, y estos son distintos: {0}. Envíalos como están, o crea otra clasificación.',
  '`league` and `group` name one group together: send both, or none of them.':
    '`league` y `group` nombran juntos un grupo: envía los dos o ninguno.',
  'leaderboard.lateHours must be 0 with leagues: they close at the end of the period, because the next one needs their result.':
    'leaderboard.lateHours debe ser 0 con ligas: se cierran al final del periodo, porque el siguiente necesita su resultado.',
  "leaderboard.leagues need a statistic with periods, and '{0}' has none: accounts move up and down at the end of each.":
    'leaderboard.leagues necesita una estadística con periodos, y «{0}» no los tiene: las cuentas suben y bajan al final de cada uno.',
  '{0} must be between 0 and {1}, half of groupSize.': '{0} debe estar entre 0 y {1}, la mitad de groupSize.',
  '{0} must be between {1} and {2}.': '{0} debe estar entre {1} y {2}.',
  '{0} must be the number of a league, from 1, the lowest. Leave it out for a prize of the whole run.':
    '{0} debe ser el número de una liga, desde 1, la más baja. Omítelo para un premio de todo el periodo.',
  '{0} must have {1} to {2} different names of 1 to {3} characters, the lowest league first.':
    '{0} debe tener de {1} a {2} nombres distintos de 1 a {3} caracteres, primero la liga más baja.',
  "The leaderboard '{0}' has ended. Create another one.": 'La clasificación «{0}» ha terminado. Crea otra.',
  "The leaderboard '{0}' is a DRAFT. Activate it first, or delete it.":
    'La clasificación «{0}» es un borrador. Actívala antes, o elimínala.',
  'End it, and wait for the close of its runs or cancel them first.':
    'Termínala, y espera el cierre de sus periodos o cancélalos antes.',
  'the leaderboard itself, which is ACTIVE': 'la propia clasificación, que está activa',
  'run {0}, which is {1}': 'el periodo {0}, que está {1}',
  'The run was cancelled, so it has no prizes: {0}.': 'El periodo se canceló, así que no tiene premios: {0}.',
  'The run is {0}: its ranks are final, and its prizes are delivered.':
    'El periodo está {0}: sus puestos son definitivos, y sus premios se entregan.',
  '`page` times `limit` must be at most {0}. GET /v1/accounts/{accountId}/leaderboards/{id} has the entries around an account.':
    '`page` por `limit` debe ser como máximo {0}. GET /v1/accounts/{accountId}/leaderboards/{id} da los puestos alrededor de una cuenta.',
  '{0} needs either lastRank or topShare: send one of them.': '{0} necesita lastRank o topShare: envía uno de los dos.',
  '{0} must be between 1 and {1}.': '{0} debe estar entre 1 y {1}.',
  '{0} must be between {1}, the first rank, and {2}.': '{0} debe estar entre {1}, el primer puesto, y {2}.',
  '{0} must be above 0 and at most 1: 0.1 is the first tenth.':
    '{0} debe ser mayor que 0 y como máximo 1: 0.1 es la primera décima parte.',
  '{0} must have 1 to {1} different rewards.': '{0} debe tener de 1 a {1} recompensas distintas.',
  '{0} must be ALL or FIRST.': '{0} debe ser ALL o FIRST.',
  "leaderboard.statisticCode '{0}' is no statistic. GET /admin/statistic-definitions/paginated lists them.":
    'leaderboard.statisticCode «{0}» no es ninguna estadística. GET /admin/statistic-definitions/paginated las da.',
  "leaderboard.displayNameAttribute '{0}' is no STRING attribute of accounts. GET /admin/account-attributes lists them.":
    'leaderboard.displayNameAttribute «{0}» no es ningún atributo STRING de las cuentas. GET /admin/account-attributes los da.',
  "leaderboard.displayNameAttribute '{0}' is a personal attribute, which other accounts must not see. Send another one.":
    'leaderboard.displayNameAttribute «{0}» es un atributo personal, que otras cuentas no deben ver. Envía otro.',
  'There is no level track {0}.': 'No hay ninguna serie de niveles {0}.',
  'The code and the statistic of a level track never change, and these differ: {0}. Send them as they are, or create another level track.':
    'El código y la estadística de una serie de niveles no cambian nunca, y esto es distinto: {0}. Envíalos como están, o crea otra serie.',
  "{0} '{1}' is that of another level: choose another one.": '{0} «{1}» es el de otro nivel: elige otro.',
  '{0} must be above {1}, the threshold of the level before.':
    '{0} debe ser mayor que {1}, el umbral del nivel anterior.',
  "levelTrack.statisticCode '{0}' is no statistic. GET /admin/statistic-definitions/paginated lists them.":
    'levelTrack.statisticCode «{0}» no es ninguna estadística. GET /admin/statistic-definitions/paginated las da.',
  'levelTrack.holdDays is missing: send the days from the beginning of a level to its review, or downgrade NEVER.':
    'Falta levelTrack.holdDays: envía los días desde el comienzo de un nivel hasta su revisión, o downgrade NEVER.',
  'levelTrack.holdDays is for downgrade ONE and BALANCE: leave it out, or send one of these.':
    'levelTrack.holdDays es para downgrade ONE y BALANCE: déjalo vacío, o envía uno de estos.',
  'levelTrack.holdDays is for statistics of all time; those with periods are reviewed at their ends. Leave it out.':
    'levelTrack.holdDays es para estadísticas de todo el tiempo; las que tienen periodos se revisan al final de cada uno. Déjalo vacío.',
  'levelTrack.atRiskDays is for downgrade ONE and BALANCE: leave it out, or send one of these.':
    'levelTrack.atRiskDays es para downgrade ONE y BALANCE: déjalo vacío, o envía uno de estos.',
  'levelTrack.atRiskDays must be at most {0}, the days to the review.':
    'levelTrack.atRiskDays debe ser como máximo {0}, los días hasta la revisión.',
  'The client has {0} statistics, the most that it may have. Delete one first.':
    'El cliente tiene {0} estadísticas, las máximas que puede tener. Elimina antes una.',
  "There is a statistic '{0}' already. Send another code.": 'Ya hay una estadística «{0}». Envía otro código.',
  "There is no statistic '{0}'.": 'No hay ninguna estadística «{0}».',
  'There is no statistic with the id {0}.': 'No hay ninguna estadística con el id {0}.',
  'What a statistic counts never changes, and these differ: {0}. Send them as they are, or create another statistic.':
    'Lo que cuenta una estadística no cambia nunca, y esto es distinto: {0}. Envíalo como está, o crea otra estadística.',
  '`{0}` is in the future: name a period that has begun.':
    '`{0}` está en el futuro: nombra un periodo que haya empezado.',
  '`{0}` is for statistics with periods: leave it out for one of all time.':
    '`{0}` es para estadísticas con periodos: déjalo vacío para una de todo el tiempo.',
  '`{0}` names no period of the statistic, whose periods are {1}.':
    '`{0}` no nombra ningún periodo de la estadística, cuyos periodos son {1}.',
  'No account has this externalId. Load a file of accounts first.':
    'Ninguna cuenta tiene este externalId. Carga antes un archivo de cuentas.',
  'The externalId is empty. Send your own id of the account.':
    'El externalId está vacío. Envía tu propio id de la cuenta.',
  'The statistic is empty. Send its code.': 'La estadística está vacía. Envía su código.',
  "The value must be digits with a decimal point, such as 1250.5; '{0}' is not.":
    'El valor debe ser cifras con punto decimal, como 1250.5; «{0}» no lo es.',
  'audienceId, productId and itemId belong to other types. Leave them out for STATISTICS.':
    'audienceId, productId e itemId son de otros tipos. Déjalos vacíos para STATISTICS.',
  "statisticDefinition.aggregation {0} needs events with amounts, and those of '{1}' have none: send COUNT or DAYS.":
    'statisticDefinition.aggregation {0} necesita eventos con cantidades, y los de «{1}» no las tienen: envía COUNT o DAYS.',
  "{0} '{1}' is reserved: choose another name.": '{0} «{1}» está reservado: elige otro nombre.',
  '`statisticDefinition.programmaticCode` is empty: send the code of the events that it counts.':
    '`statisticDefinition.programmaticCode` está vacío: envía el código de los eventos que cuenta.',
  'statisticDefinition.aggregation {0} is for events: send {1} for a statistic of {2}.':
    'statisticDefinition.aggregation {0} es para eventos: envía {1} para una estadística de {2}.',
  '`statisticDefinition.programmaticCode` is for statistics of EVENTS: leave it out for one of {0}.':
    '`statisticDefinition.programmaticCode` es para estadísticas de EVENTS: déjalo vacío en una de {0}.',
  "`{0}` reads '{1}', but a statistic is moved whatever missions count: use names of the event and the account.":
    '`{0}` lee «{1}», pero una estadística se mueve cuenten lo que cuenten las misiones: usa nombres del evento y de la cuenta.',
  '`statisticDefinition.countsPastEvents` is for statistics of EVENTS: leave it out for one of {0}.':
    '`statisticDefinition.countsPastEvents` es para estadísticas de EVENTS: omítelo en una de {0}.',
  "`statisticDefinition.countsPastEvents` does not go with '{0}' in the condition: the journal does not know the account of that time. Leave one of them out.":
    '`statisticDefinition.countsPastEvents` no va con «{0}» en la condición: el registro no conoce la cuenta de entonces. Omite una de las dos cosas.',
  '`statisticDefinition.condition` is for statistics of EVENTS: leave it out for one of {0}.':
    '`statisticDefinition.condition` es para estadísticas de EVENTS: déjala vacía en una de {0}.',
  "statisticDefinition.programmaticCode '{0}' is no code of events. GET /gamification/triggers lists the codes.":
    'statisticDefinition.programmaticCode «{0}» no es ningún código de eventos. GET /gamification/triggers da los códigos.',
  'another account was merged into this one since: undo that first':
    'desde entonces se unió otra cuenta a esta: deshaz antes esa unión',
  'it is more than 30 days old': 'tiene más de 30 días',
  'it is undone already': 'ya está deshecha',
  'it paid rewards or combined pieces': 'entregó recompensas o juntó piezas',
  'since then came {0}': 'desde entonces hubo {0}',
  'the account was merged into another one: undo that first': 'la cuenta se unió a otra: deshaz antes esa unión',
  'an event': 'un evento',
  points: 'puntos',
  'a reward': 'una recompensa',
  'a chest': 'un cofre',
  'a product': 'un producto',
  'a closing': 'el cierre de una campaña',
  'a membership': 'un cambio de audiencias',
  freezes: 'protectores de racha',
  vacations: 'vacaciones',
  'No account token may call this operation. Your back end calls it with its API key.':
    'Ningún token de cuenta puede llamar a esta operación. La llama tu servidor con su clave de API.',
  'A token with the permission EMIT names in `eventCodes` the events that it may send.':
    'Un token con el permiso EMIT indica en `eventCodes` los eventos que puede enviar.',
  'An account token calls for its own account. Leave the account out, or send `me` in the path, and no `idType`.':
    'Un token de cuenta llama para su propia cuenta. No indiques la cuenta, o envía `me` en la ruta, y ningún `idType`.',
  'An account token takes no header `Laurel-Client-Id`. Leave it out.':
    'Un token de cuenta no admite la cabecera `Laurel-Client-Id`. No la envíes.',
  'The account token does not have the permission {0}.': 'El token de cuenta no tiene el permiso {0}.',
  "The account token does not name the event code '{0}'.": 'El token de cuenta no incluye el código de evento «{0}».',
  'The account token expired at {0}. Ask for a new one.': 'El token de cuenta caducó el {0}. Pide otro.',
  'The account token has been revoked. Ask for a new one.': 'El token de cuenta está revocado. Pide otro.',
  'The account token is not for pages of this origin. Issue one with it in `origins`.':
    'El token de cuenta no es para páginas de este origen. Emite uno que lo tenga en `origins`.',
  'The account token was issued in the future: a clock is wrong.':
    'El token de cuenta se emitió en el futuro: un reloj va mal.',
  'The account token was not issued here, or was altered.': 'El token de cuenta no se emitió aquí, o se ha alterado.',
  "origins has '{0}', which the client has not configured. Add it to the client's accountTokens.origins first.":
    "origins tiene '{0}', que el cliente no ha configurado. Añádelo antes a accountTokens.origins del cliente.",
  'The key of the account token is no longer valid. Ask for a new token.':
    'La clave del token de cuenta ya no es válida. Pide otro token.',
  'The tokens of this account have used up their {0} requests a second.':
    'Los tokens de esta cuenta han agotado sus {0} solicitudes por segundo.',
  '`eventCodes` are for the permission EMIT. Leave them out.': '`eventCodes` son para el permiso EMIT. No los envíes.',
  '`after` is no cursor of this feed. Send a `cursor` or a `nextAfter` as it was answered, or leave it out.':
    '`after` no es un cursor de este registro. Envía un `cursor` o un `nextAfter` tal como se devolvió, o no lo indiques.',
  'This client keeps no changes. An administrator switches the feed on by `PUT /v1/change-feed`, with the days to keep them.':
    'Este cliente no guarda los cambios. Un administrador activa el registro con `PUT /v1/change-feed` y los días que se guardan.',
  'Changes behind `after` are no longer kept. Read the end of the feed (`GET /v1/change-feed`), then the present state of the accounts, and continue with that end.':
    'Los cambios posteriores a `after` ya no se guardan. Lee el final del registro (`GET /v1/change-feed`), después el estado actual de las cuentas, y continúa desde ese final.',
  'The change of `after` is not in this database, which was restored to an earlier moment. Read the end of the feed (`GET /v1/change-feed`), then the present state of the accounts, and continue with that end.':
    'El cambio de `after` no está en esta base de datos, que se restauró a un momento anterior. Lee el final del registro (`GET /v1/change-feed`), después el estado actual de las cuentas, y continúa desde ese final.',
  '`after` (`Last-Event-ID`) is too far back for a stream. Open one without it, and then read the account.':
    '`after` (`Last-Event-ID`) queda demasiado atrás para una conexión. Abre una sin él y después lee la cuenta.',
  'This account has {0} open streams already. Close one of them.':
    'Esta cuenta ya tiene {0} conexiones abiertas. Cierra una de ellas.',
  'This client has {0} open streams already. Use another process.':
    'Este cliente ya tiene {0} conexiones abiertas. Usa otro proceso.',
  'Nothing would change. Send a lower `target`, or `rewardIds` of rewards to add.':
    'No hay nada que cambiar. Indica un `target` menor, o recompensas que añadir en `rewardIds`.',
  'The mission gives the reward {0} already. Send `rewardIds` of other rewards.':
    'La misión ya da la recompensa {0}. Indica otras en `rewardIds`.',
  'The mission would give {0} rewards, and {1} are possible. Send fewer `rewardIds`.':
    'La misión daría {0} recompensas y admite {1}. Indica menos en `rewardIds`.',
  'The target of this mission cannot change: only that of a MISSION or CHALLENGE without `repeat` can. Leave `target` out.':
    'El objetivo de esta misión no puede cambiar: solo el de una misión o un reto sin `repeat`. Deja `target` vacío.',
  '`target` must be lower than {0}, the present one.': '`target` debe ser menor que {0}, el actual.',
};
