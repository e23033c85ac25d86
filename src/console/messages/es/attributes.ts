/** Declared attributes of events: the fields of a declaration, and values. */
export const attributes = {
  title: 'Atributos',
  one: 'Atributo',
  hints: {
    event:
      'Lo que tu plataforma envía con cada evento además de la cantidad. Las condiciones de las misiones pueden usarlo.',
    account:
      'Lo que tu plataforma sabe de sus usuarios, como un nivel o un país. Pueden usarlo las condiciones de las misiones, las audiencias por regla y las cantidades de las recompensas.',
  },
  of: 'Atributos de {code}',
  attribute: 'Atributo {number, number}',
  more: '{count, number} más',
  add: 'Añadir atributo',
  remove: 'Quitar el atributo {number, number}',
  name: 'Nombre',
  nameFault: 'Una letra y después letras, cifras y _; 64 caracteres como máximo.',
  type: 'Tipo',
  types: {
    STRING: 'Texto',
    NUMBER: 'Número',
    BOOLEAN: 'Sí o no',
    TIMESTAMP: 'Fecha y hora',
    STRING_LIST: 'Lista de textos',
  },
  allowedValues: 'Valores permitidos',
  allowedValuesHint: 'Pulsa Intro tras cada uno. Vacío: se permite cualquier texto.',
  min: 'Valor mínimo',
  max: 'Valor máximo',
  maxBelowMin: 'Es menor que el valor mínimo.',
  description: 'Descripción',
  required: 'Obligatorio',
  requiredHint: 'Se rechazan los eventos que no lo llevan.',
  personal: 'Personal',
  personalHints: {
    event: 'Las listas y el registro muestran *** en su lugar.',
    account:
      'Las explicaciones muestran *** en su lugar. La página de la cuenta y las exportaciones muestran el valor.',
  },
  value: '{name}: {value}',
  yes: 'Sí',
  no: 'No',
  only: 'Solo {values}.',
  atLeast: 'Como mínimo {number, number, amount}.',
  atMost: 'Como máximo {number, number, amount}.',
};
