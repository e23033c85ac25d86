/** Texts of notifications, failures and questions. */
export const feedback = {
  failed: 'No ha funcionado',
  unreachable: 'El servicio no responde. Comprueba tu conexión e inténtalo de nuevo.',
  traceId: 'Id de traza',
  copy: 'Copiar',
  copied: 'Copiado',
  kept: 'Ya lo guardé en un lugar seguro',
  close: 'Cerrar',
  quoted: '«{text}»',
  stale: 'No se ha podido actualizar desde {time}.',
  retry: 'Reintentar',
  cancel: 'Cancelar',
};

/** Texts of all forms. */
export const form = {
  make: 'Crear «{name}»…',
  makeNew: 'Crear otra…',
  reason: 'Motivo',
  reasonHint: 'Queda en el registro de cambios, que dura más que la cuenta: sin datos personales.',
  typed: 'Escribe {text} para confirmar',
  typedWrong: 'Esto no es {text}.',
  cancel: 'Cancelar',
  back: 'Volver',
  close: 'Cerrar',
  save: 'Guardar cambios',
  readAgain: 'Leer de nuevo y descartar mis cambios',
  bothVersions: 'Lo que está guardado ahora, junto a lo que has introducido',
  storedNow: 'Guardado ahora',
  yours: 'Lo tuyo',
  nothingFound: 'No se ha encontrado nada',
  choose: 'Elige, o escribe para buscar',
  name: 'Nombre',
  units: 'Unidades que se añaden',
  addUnits: 'Añadir unidades',
  unsaved: '¿Salir sin guardar?',
  unsavedHint: 'Lo que has introducido aquí no se ha guardado.',
  secretShown: '¿Salir sin el secreto?',
  secretShownHint: 'Solo se muestra esta vez. Cópialo antes, o se perderá.',
  leave: 'Salir',
  stay: 'Quedarme',
};

/** Texts beside a field that breaks a rule. */
export const rules = {
  required: 'Rellena este campo.',
  choose: 'Elige una opción.',
  minLength: 'Al menos {number} caracteres.',
  maxLength: 'Como máximo {number} caracteres.',
  minItems: 'Elige al menos {number}.',
  maxItems: 'Elige como máximo {number}.',
  unique: 'El mismo elemento está dos veces.',
  address: 'Una dirección absoluta que empiece por https:// o http://.',
  email: 'Una dirección de correo.',
  pattern: 'No tiene la forma correcta.',
  aboveUpTo: 'Un número mayor que {number}, hasta {second}.',
  between: 'Un número de {number} a {second}.',
  atLeast: 'Al menos {number}.',
  atMost: 'Como máximo {number}.',
  above: 'Un número mayor que {number}.',
  notZero: 'Cualquier número menos 0.',
};

/** Texts of all tables. */
export const table = {
  from: 'Desde',
  until: 'Hasta',
  actions: 'Acciones',
  noMatch: 'Nada coincide',
  noMatchHint: 'Nada cumple lo que piden los filtros. Quítalos para verlo todo.',
  clear: 'Quitar filtros',
  search: 'Buscar',
  searchId: 'Id completo',
  csv: 'CSV',
  savedPart:
    'El archivo solo tiene las primeras {count, number} filas; hay más. Acota la lista o guárdala por partes, por ejemplo por fechas. Todas las cuentas, los códigos y los canjes están en Importaciones, Exportaciones.',
  save: 'Descargar',
  saveHint: 'Todas las filas de la lista, de todas las páginas; 100.000 como máximo.',
  saveAs: { xlsx: 'Hoja de cálculo (XLSX), como se ve', csv: 'CSV, como se ve', raw: 'CSV con todos los campos e ids' },
  copy: 'Copiar {text}',
  copied: 'Copiado',
  loading: 'Cargando…',
  noRows: 'Nada que mostrar',
  range: '{first, number}–{last, number} de {totalRows, number}',
  next: 'Página siguiente',
  previous: 'Página anterior',
  pageNumber: 'Página {page, number}',
  pageSize: 'Filas por página',
};

/** Texts about uses that prevent archiving or deletion. */
export const uses = {
  title: '{name} está en uso',
  hint: '«{action}» será posible cuando ya nada lo use:',
  kinds: { campaign: 'Campaña', mission: 'Misión', chest: 'Cofre', reward: 'Recompensa', publication: 'Publicación' },
};

/** Masked codes, which are shown in full on request. */
export const codes = {
  reveal: 'Mostrar el código {code}',
  revealHint: 'Mostrar el código. El registro de cambios dice quién lo hizo.',
  hide: 'Ocultar el código {code}',
};

/** Lists of resources that are archived instead of removed. */
export const archivable = {
  inUse: 'En uso',
  withArchived: 'Con archivados',
  badge: 'Archivado',
};
