/** Why rows of a file are refused: see `service-messages.ts`. */
export const serviceRows: Readonly<Record<string, string>> = {
  'A quoted cell goes on after its closing quote. Write quotes inside of a cell twice.':
    'Una celda entre comillas sigue después de cerrarlas. Escribe dos veces las comillas que van dentro de una celda.',
  'Its {0} stands in line {1} already.': 'Su {0} ya está en la línea {1}.',
  "Several audiences are named '{0}'. Write the id of one.": 'Varias audiencias se llaman «{0}». Escribe el id de una.',
  'The row has {0} cells, the header has {1}.': 'La fila tiene {0} celdas, y la cabecera {1}.',
  'The row is not valid UTF-8. Save the file as "CSV UTF-8".':
    'La fila no es UTF-8 válido. Guarda el archivo como «CSV UTF-8».',
};
