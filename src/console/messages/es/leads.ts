import type { Messages } from '../messages.ts';

export const leads = {
  accountsTitle: 'Cuentas de {name}',
  started: 'Han empezado {name}',
  completedMission: 'Han completado {name}',
  completed: 'Han completado todas las misiones',
  closed: 'Han recibido las recompensas',
  step: 'Hasta dónde',
  startedAt: 'Empezada',
  completedAt: 'Completada',
  closedAt: 'Cerrada',
  noAccounts: 'Ninguna cuenta ha llegado hasta aquí',
  noAccountsHint: 'Las cuentas aparecen en cuanto llegan.',
  series: 'Día a día',
  seriesHint:
    'Cuentas que empezaron, que completaron todas las misiones y que recibieron las recompensas, por días de la zona horaria del cliente.',
  seriesStarted: 'Empezaron',
  givenTitle: 'Quién la ganó',
  campaign: 'Campaña',
  nobodyEarned: 'Nadie la ha ganado todavía',
  nobodyEarnedHint: 'Quien la gane aparece aquí. Lo que se canceló mientras esperaba está en el registro de auditoría.',
  earnedAt: 'Ganada',
  unitsTitle: 'Adónde fueron sus unidades',
  exportWhole: 'Exportar con códigos completos',
  noUnits: 'Todavía no ha salido ninguna unidad',
  noUnitsHint: 'Quien reciba una, como recompensa, por fragmentos, por puntos o en el marketplace, aparece aquí.',
  allocatedTitle: 'Publicaciones que tienen unidades',
  source: 'Origen',
  at: 'Cuándo',
  failures: 'Fallos',
  failuresLabel: 'Fallos: {type}',
  anyFailure: 'Cualquier fallo',
  resend: 'Reenviar los fallos',
  resendTitle: 'Enviar de nuevo lo que falló',
  resendHint:
    'Los mensajes cuyo último intento falló en este periodo, del más antiguo al más reciente, cada uno una vez. Lo que espera un reintento queda para él. Tu plataforma debe admitir un mensaje dos veces.',
  from: 'Desde',
  to: 'Hasta',
  timesOf: 'Las horas son de {timeZone}.',
  failedAttempts:
    '{count, plural, =0 {El registro no tiene intentos fallidos en este periodo.} one {El registro tiene # intento fallido en este periodo.} other {El registro tiene # intentos fallidos en este periodo.}}',
  limit: 'Mensajes como máximo',
  limitHint: 'Para no desbordar a un receptor que acaba de volver; pulsa otra vez para los siguientes.',
  resent:
    '{count, plural, =0 {En este periodo no hay nada que reenviar.} one {Se reenvía # mensaje.} other {Se reenvían # mensajes.}}',
  resentMore:
    '{count, plural, one {Se reenvía # mensaje; el periodo tiene más.} other {Se reenvían # mensajes; el periodo tiene más.}}',
} satisfies Messages['leads'];
