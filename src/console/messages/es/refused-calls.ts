/** Texts of the log of refused calls. */
export const refusedCalls = {
  title: 'Llamadas rechazadas',
  description:
    'Llamadas de tus sistemas que se rechazaron o fallaron, y por qué. De muchas iguales se guardan solo algunas; los recuentos las incluyen todas.',
  operation: 'Operación',
  code: 'Código',
  account: 'Id de cuenta',
  key: 'Clave',
  event: 'Evento {code}',
  field: 'Campo {field}',
  operationId: 'Id de operación {id}',
  byToken: '{key}, con un token de cuenta',
  otherKey: 'una clave de otro cliente',
  counts: 'Por operación y clave',
  countsHint: 'Todas las llamadas del periodo, por horas enteras de UTC.',
  of: '{refused, number} de {calls, number} rechazadas',
  empty: 'No se rechazó ninguna llamada',
  emptyHint: 'Las llamadas rechazadas aparecen aquí, mientras el registro conserva los eventos.',
  noMatch: 'Ninguna llamada rechazada coincide',
  noMatchHint: 'Cambia los filtros o el periodo. Las llamadas se borran al cabo de unos días.',
  noAccount: 'Nadie tiene este id',
};
