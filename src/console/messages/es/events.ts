/** Event definitions. */
export const events = {
  title: 'Eventos',
  description: 'Las acciones de tus usuarios que comunicas a Laurel. Las misiones las cuentan.',
  create: 'Nuevo evento',
  submit: 'Crear evento',
  created: 'Se ha creado el evento {code}.',
  edit: 'Editar {code}',
  saved: 'Se ha guardado el evento {code}.',
  code: 'Código',
  codeHint: 'Nombra la acción, no la campaña, como PURCHASE. Solo letras, cifras y _ - . : y no cambia nunca.',
  name: 'Nombre',
  nameHint: 'Para operadores. Si lo dejas vacío, el código.',
  note: 'Descripción',
  noteHint: 'Cuándo lo envía tu plataforma y qué significaría una cantidad.',
  attributesHint:
    'Lo que tu plataforma envía con cada evento además de la cantidad. Las condiciones de las misiones pueden usarlo.',
  type: 'Tipo',
  types: { SINGLE: 'Simple', AMOUNT: 'Cantidad' },
  typeHints: {
    SINGLE: 'Cada vez cuenta 1: una entrada, una invitación.',
    AMOUNT: 'Lleva un número que se suma: una compra, una distancia.',
  },
  empty: 'Todavía no hay eventos',
  emptyHint: 'Empieza aquí: nombra la primera acción que comunicará tu plataforma, como LOGIN o PURCHASE.',
  remove: 'Eliminar',
  removeTitle: '¿Eliminar {code}?',
  removeText:
    'Los eventos con este código recibirán un 404 desde entonces. Solo se puede eliminar uno que ninguna misión cuente.',
  removed: 'Se ha eliminado el evento {code}.',
  menu: 'Acciones de {code}',
  editAction: 'Editar',
};
