/** Messages of the service about missing resources: see `service-messages.ts`. */
export const serviceAbsences: Readonly<Record<string, string>> = {
  'There are more than {0} buckets between `since` and `until`. Send a shorter time, or bucket=DAY.':
    'Entre el principio y el final hay más de {0} intervalos. Elige un periodo más corto, o días.',
  "There is no account with the externalId '{0}'. Resolve it first.":
    'No hay ninguna cuenta que en `externalId` tenga «{0}».',
  'There is no account with the id {0}.': 'No hay ninguna cuenta con el id {0}.',
  'There is no agreement {0}.': 'No hay ningún acuerdo {0}.',
  'There is no agreement {0}. Create it first, or leave it out.':
    'No hay ningún acuerdo {0}. Créalo antes, o no elijas ninguno.',
  'There is no attempt {0} in the log. It may have been too old.':
    'No hay ningún intento {0} en el registro. Puede que fuera demasiado antiguo.',
  "There is no audience '{0}' with members of its own. Create it first, or leave the cell empty.":
    'No hay ninguna audiencia «{0}» con miembros propios. Créala antes o deja la celda vacía.',
  'There is no audience with the id {0}.': 'No hay ninguna audiencia con el id {0}.',
  'There is no audience with the id {0}. Send ids of existing audiences.':
    'No hay ninguna audiencia con el id {0}. Elige audiencias que existan.',
  'There is no campaign with the id {0}.': 'No hay ninguna campaña con el id {0}.',
  'There is no campaign with the id {0}. Send campaignIds of existing campaigns.':
    'No hay ninguna campaña con el id {0}. Indica en `campaignIds` campañas que existan.',
  'There is no chest definition {0}.': 'No hay ningún cofre {0}.',
  'There is no chest definition {0}. Create it first.': 'No hay ningún cofre {0}. Créalo antes.',
  'There is no chest {0}.': 'No hay ningún cofre {0}.',
  'There is no client {0}.': 'No hay ningún cliente {0}.',
  'There is no credential with the id {0}.': 'No hay ninguna credencial con el id {0}.',
  'There is no dead trigger {0}. It may have been replayed or discarded.':
    'No hay ningún evento fallido {0}. Puede que se haya repetido o descartado.',
  'There is no earned reward {0}.': 'No hay ninguna recompensa ganada {0}.',
  "There is no event definition '{0}'. GET /gamification/triggers lists the codes.":
    'No hay ningún evento «{0}» en el catálogo.',
  'There is no event definition with the id {0}.': 'No hay ningún evento con el id {0}.',
  'There is no import with the id {0}.': 'No hay ninguna importación con el id {0}.',
  'There is no mission with the id {0}. Send prerequisiteMissionIds of existing missions.':
    'No hay ninguna misión con el id {0}. Elige en `prerequisiteMissionIds` misiones que existan.',
  'There is no code {0}. It may have been withdrawn.': 'No hay ningún código {0}. Quizá se haya retirado.',
  'There is no product {0}.': 'No hay ningún producto {0}.',
  'There is no product {0}. Create it first.': 'No hay ningún producto {0}. Créalo antes.',
  'There is no publication {0}.': 'No hay ninguna publicación {0}.',
  'There is no reservation {0}.': 'No existe ninguna reserva {0}.',
  'There is no redemption {0}.': 'No hay ningún canje {0}.',
  'There is no reward with the id {0}. Send rewardIds of existing rewards.':
    'No hay ninguna recompensa con el id {0}. Elige recompensas que existan.',
  'There is no reward {0}.': 'No hay ninguna recompensa {0}.',
  '{0}: there is no reward {1}. Create it first.': '{0}: no hay ninguna recompensa {1}. Créala antes.',
  'There is no mission with the id {0}.': 'No hay ninguna misión con el id {0}.',
  'There is no standalone mission with the id {0}.': 'No hay ninguna misión suelta con el id {0}.',
  'There is no user with the id {0}.': 'No hay ningún usuario con el id {0}.',
  'There is no webhook endpoint with the id {0}.': 'No hay ningún destino con el id {0}.',
  'There is no webhook of type {0} to send it to. Configure one first.':
    'No hay ningún webhook de tipo {0} al que enviarlo. Configúralo antes.',
};
