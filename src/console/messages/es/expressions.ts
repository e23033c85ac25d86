/** Expressions: their field, their faults, and words for the simple ones. */
export const expressions = {
  names: 'Nombres que puede usar; un clic inserta uno',
  nameHints: { createdAt: 'Cuándo se creó la cuenta.', now: 'Cuándo ocurrió el evento.', present: 'La hora actual.' },
  place: 'Línea {line, number}, columna {column, number}: {fault}',
  trial: {
    events:
      '{examined, plural, one {Del último evento contaría {matching, number}.} other {De los últimos # eventos {matching, plural, one {contaría uno} other {contarían {matching, number}}}.}}',
    undecided:
      '{undecided, plural, one {Uno de ellos no se puede juzgar: no se conservan su cuenta, su cantidad o sus atributos.} other {# de ellos no se pueden juzgar: no se conservan sus cuentas, sus cantidades o sus atributos.}}',
    noEvents: 'El diario aún no tiene ningún evento con este código.',
    accounts: '{matching, plural, =0 {No cumple ninguna cuenta.} one {Cumple una cuenta.} other {Cumplen # cuentas.}}',
  },
  amount: 'la cantidad',
  createdAt: 'la creación de la cuenta',
  now: 'el momento del evento',
  yes: 'sí',
  no: 'no',
  quoted: '«{text}»',
  is: '{name} es {value}',
  isNot: '{name} no es {value}',
  less: '{name} es menor que {value}',
  atMost: '{name} es como máximo {value}',
  more: '{name} es mayor que {value}',
  atLeast: '{name} es como mínimo {value}',
  before: '{name} es anterior a {value}',
  notAfter: '{name} no es posterior a {value}',
  after: '{name} es posterior a {value}',
  notBefore: '{name} no es anterior a {value}',
  contains: '{name} contiene {value}',
  present: '{name} tiene un valor',
  absent: '{name} no tiene valor',
};
