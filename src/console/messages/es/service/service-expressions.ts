/** Sentences of the service about expressions and attributes: see `service-messages.ts`. */
export const serviceExpressions: Readonly<Record<string, string>> = {
  'A list after in has literals of the type of the value before it, here {0}.':
    'Una lista tras in tiene literales del tipo del valor que la precede, aquí {0}.',
  'A list of values stands only to the right of in.': 'Una lista de valores solo puede ir a la derecha de in.',
  'A text must be valid Unicode without NUL characters.': 'Un texto debe ser Unicode válido sin caracteres NUL.',
  'An attribute has its name behind a dot: write {0}.': 'El nombre de un atributo va tras un punto: escribe {0}.',
  'An entry of a list cannot be read by its index: use exists or all.':
    'No se puede leer un elemento de una lista por su índice: usa exists o all.',
  'An expression has at most {0} characters.': 'Una expresión tiene como máximo {0} caracteres.',
  'An expression has at most {0} names, literals and operators. Split it into several missions, or test a list with `in`.':
    'Una expresión tiene como máximo {0} nombres, literales y operadores. Repártela en varias misiones o compara con una lista mediante `in`.',
  'An expression must not be empty.': 'Una expresión no puede estar vacía.',
  'An expression nests at most {0} deep. Remove parentheses.':
    'Una expresión se anida como máximo {0} niveles. Quita paréntesis.',
  'For {0}: {1}': 'Para {0}: {1}',
  'Found a {0} after :, but a {1} before it: both must have one type.':
    'Hay un {0} tras :, pero un {1} antes: ambos deben ser del mismo tipo.',
  'Found a {0}, but {1} needs a BOOLEAN.': 'Hay un {0}, pero {1} necesita un BOOLEAN.',
  'Found {0} in {1}: in takes a STRING and a list of strings, or a value and a list of literals.':
    'Hay {0} in {1}: in admite un STRING y una lista de textos, o un valor y una lista de literales.',
  'Found {0} of ({1}). It takes {2}.': 'Hay {0} de ({1}). Admite {2}.',
  'Found {0}, which does not fit here: expected a value or an operator.':
    '{0} no encaja aquí: se esperaba un valor o un operador.',
  'Found {0}, which does not fit here: write {1}.': '{0} no encaja aquí: escribe {1}.',
  'The accounts for which its expression holds are in this audience: nothing to assign or remove.':
    'En esta audiencia están las cuentas para las que se cumple su expresión: no hay nada que asignar ni quitar.',
  'This audience has no expression. Name an audience of kind RULE.':
    'Esta audiencia no tiene expresión. Elige una audiencia de tipo RULE.',
  'A reward has `amount` or `amountExpression`. Send one of them.':
    'Una recompensa tiene `amount` o `amountExpression`. Envía uno de los dos.',
  'A reward with `amountExpression` needs `amountMax`, the most that it pays.':
    'Una recompensa con `amountExpression` necesita `amountMax`, lo máximo que paga.',
  '`eventsMax` is for expressions over events: leave it out.':
    '`eventsMax` es para expresiones sobre eventos: déjalo vacío.',
  '`programmaticCodes` is empty: send the code of the events.':
    '`programmaticCodes` está vacío: envía el código de los eventos.',
  '`programmaticCodes` is for expressions over events: leave it out.':
    '`programmaticCodes` es para expresiones sobre eventos: déjalo vacío.',
  '`amountMax` is for a reward with `amountExpression`: leave it out.':
    '`amountMax` es para una recompensa con `amountExpression`: déjalo vacío.',
  '`amountMax` must be a whole number: an expression pays whole points.':
    '`amountMax` debe ser un número entero: una expresión paga puntos enteros.',
  '`amount` must be above 0.': '`amount` debe ser mayor que 0.',
  "{0}: the amount of the reward '{1}' is {2}, which depends on an event or a mission. Only missions give it. Send a reward whose amount is fixed, or depends on the account only.":
    '{0}: la cantidad de la recompensa «{1}» es {2}, que depende de un evento o de una misión. Solo la dan las misiones. Envía una recompensa de cantidad fija, o que dependa solo de la cuenta.',
  "The amount of the reward '{0}' is {1}, which pays this account nothing{2}. Give another one.":
    'La cantidad de la recompensa «{0}» es {1}, que no paga nada a esta cuenta{2}. Da otra.',
  ': {0}': ': {0}',
  "audience '{0}'": 'la audiencia «{0}»',
  "statistic '{0}'": 'la estadística «{0}»',
  "leaderboard '{0}'": 'la clasificación «{0}»',
  "level track '{0}'": 'la serie de niveles «{0}»',
  'expression is for an audience of kind RULE: leave it out.':
    'expression es para una audiencia de tipo RULE: déjalo vacío.',
  'expression is missing: an audience of kind RULE needs one, for example account.tier == "GOLD".':
    'Falta expression: una audiencia de tipo RULE necesita una, por ejemplo account.tier == "GOLD".',
  'Found {0}. Write numbers without u, and no bytes.': 'Hay {0}. Escribe los números sin u, y ningún valor de bytes.',
  'It does not hold: {0}': 'No se cumple: {0}',
  'Keep the name, or change the expressions first.': 'Conserva el nombre, o cambia antes las expresiones.',
  'Keep the attributes and their types, or change the expressions first.':
    'Conserva los atributos y sus tipos, o cambia antes las expresiones.',
  'Maps and messages are not supported in expressions.': 'Las expresiones no admiten mapas ni mensajes.',
  'Of the functions of lists, exists and all are supported, with one variable.':
    'De las funciones de listas se admiten exists y all, con una variable.',
  'Only event and account have attributes, for example event.category.':
    'Solo event y account tienen atributos, por ejemplo event.category.',
  'Regular expressions are not supported: use startsWith, endsWith or contains.':
    'No se admiten expresiones regulares: usa startsWith, endsWith o contains.',
  'The count of the accounts takes longer than {0} seconds. Write a shorter expression, or repeat the call when the database is less busy.':
    'Contar las cuentas tarda más de {0} segundos. Escribe una expresión más corta, o repite la llamada cuando la base de datos esté menos ocupada.',
  'The count of the events takes longer than {0} seconds. Send a smaller `eventsMax`, or repeat the call when the database is less busy.':
    'Contar los eventos tarda más de {0} segundos. Envía un `eventsMax` menor, o repite la llamada cuando la base de datos esté menos ocupada.',
  'The expression ends where a value is expected.': 'La expresión termina donde se espera un valor.',
  'The expression is a {0}, but must be a {1}.': 'La expresión es un {0}, pero debe ser un {1}.',
  'The expression never holds': 'La expresión nunca se cumple',
  'The expression takes up to {0} steps, at most {1} are allowed. Test fewer lists.':
    'La expresión necesita hasta {0} pasos y se admiten como máximo {1}. Compara menos listas.',
  'The function exists_one is not supported: use exists or all.':
    'La función exists_one no se admite: usa exists o all.',
  'The function filter is not supported: use exists or all.': 'La función filter no se admite: usa exists o all.',
  'The function map is not supported: use exists or all.': 'La función map no se admite: usa exists o all.',
  'The function {0} cannot stand inside another exists or all.':
    'La función {0} no puede ir dentro de otro exists o all.',
  'The function duration takes a text such as "1h30m". Its units are h, m, s and ms; a day is 24h.':
    'La función duration admite un texto como "1h30m". Sus unidades son h, m, s y ms; un día son 24h.',
  'The function has takes the name of an attribute: {0}.': 'La función has admite el nombre de un atributo: {0}.',
  'The function timestamp takes a text with date, time and zone, such as "2026-01-31T08:00:00Z", to whole milliseconds.':
    'La función timestamp admite un texto con fecha, hora y zona, como "2026-01-31T08:00:00Z", hasta milisegundos enteros.',
  'The function {0} tests an attribute of type STRING_LIST.': 'La función {0} examina un atributo de tipo STRING_LIST.',
  'The list {0} may have any number of entries: use in instead of {1}.':
    'La lista {0} puede tener cualquier número de elementos: usa in en lugar de {1}.',
  'The list after in must not be empty.': 'La lista tras in no puede estar vacía.',
  'The name {0} is taken: use another one in {1}.': 'El nombre {0} ya existe: usa otro en {1}.',
  'The operator % is not supported.': 'El operador % no se admite.',
  'The value null is not supported: use has(...) to ask for a value.':
    'El valor null no se admite: usa has(...) para preguntar si hay un valor.',
  'There is no function {0}. Known functions: {1}.': 'No hay ninguna función {0}. Funciones conocidas: {1}.',
  'There is no {0}. Known names: {1}.': 'No existe {0}. Nombres conocidos: {1}.',
  'The text that begins here has no quotation mark at its end: add {0}.':
    'El texto que empieza aquí no tiene comilla al final: añade {0}.',
  'Write a number with at most {0} digits, for example 12.5.':
    'Escribe un número de {0} cifras como máximo, por ejemplo 12.5.',
  "{0} '{1}' is not allowed. Send one of {2}.": '{0}: «{1}» no está permitido. Envía uno de {2}.',
  "{0} '{1}' is reserved: choose another name.": '{0}: «{1}» está reservado; elige otro nombre.',
  "{0} '{1}' is there twice: each name stands once.": '{0}: «{1}» está dos veces; cada nombre va una sola vez.',
  '{0} and {1} are for NUMBER: leave them out.': '{0} y {1} son para NUMBER: déjalos vacíos.',
  "{0} has no attribute '{1}': none is declared.": '{0} no tiene el atributo «{1}»: no hay ninguno declarado.',
  "{0} has no attribute '{1}'. Declared are: {2}.": '{0} no tiene el atributo «{1}». Están declarados: {2}.',
  '{0} has {1} bytes, at most {2} are allowed.': '{0} tiene {1} bytes y se admiten como máximo {2}.',
  '{0} is for events: accounts exist without the attribute. Leave it out.':
    '{0} es para eventos: las cuentas existen sin el atributo. Déjalo vacío.',
  '{0} is for STRING and STRING_LIST: leave it out.': '{0} es para STRING y STRING_LIST: déjalo vacío.',
  '{0} is missing': 'falta {0}',
  '{0} is personal: counting with it needs the permission KEEP_CAMPAIGNS. Leave it out.':
    '{0} es personal: para contar con él se necesita el permiso KEEP_CAMPAIGNS. Quítalo.',
  '{0} is required: {1}.': '{0} es obligatorio: {1}.',
  '{0} is {1}': '{0} es {1}',
  '{0} is {1}, needed {2}': '{0} es {1}, hace falta {2}',
  '{0} is {1}, needed at least {2}': '{0} es {1}, hace falta como mínimo {2}',
  '{0} is {1}, needed at most {2}': '{0} es {1}, hace falta como máximo {2}',
  '{0} is {1}, needed less than {2}': '{0} es {1}, hace falta menos de {2}',
  '{0} is {1}, needed more than {2}': '{0} es {1}, hace falta más de {2}',
  '{0} is {1}, needed not {2}': '{0} es {1}, hace falta otro valor que {2}',
  '{0} is {1}, needed one of {2}': '{0} es {1}, hace falta uno de {2}',
  '{0} must be a list in JSON, for example ["vegan", "hot"].':
    '{0} debe ser una lista en JSON, por ejemplo ["vegan", "hot"].',
  '{0} must be {1}.': '{0} debe ser {1}.',
  '{0} must not be above {1}.': '{0} no puede ser mayor que {1}.',
  '{0} of {1}': '{0} de {1}',
  '{0}, line {1}, column {2}: {3}': '{0}, línea {1}, columna {2}: {3}',
  'a text of at most {0} characters': 'un texto de {0} caracteres como máximo',
  'a number': 'un número',
  'true or false': 'true o false',
  'a moment such as "2026-11-25T08:00:00Z", to milliseconds':
    'un momento como "2026-11-25T08:00:00Z", hasta milisegundos',
  'a list of at most {0} texts of at most {1} characters':
    'una lista de {0} textos como máximo, de {1} caracteres como máximo cada uno',
};
