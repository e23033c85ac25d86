/** Why rows of a file are refused, and why a whole file is: see `service-messages.ts`. */
export const serviceRows: Readonly<Record<string, string>> = {
  'A quoted cell goes on after its closing quote. Write quotes inside of a cell twice.':
    'Una celda entre comillas sigue después de cerrarlas. Escribe dos veces las comillas que van dentro de una celda.',
  'Its {0} stands in line {1} already.': 'Su {0} ya está en la línea {1}.',
  "Several audiences are named '{0}'. Write the id of one.": 'Varias audiencias se llaman «{0}». Escribe el id de una.',
  'The row has {0} cells, the header has {1}.': 'La fila tiene {0} celdas, y la cabecera {1}.',
  'The row is not valid UTF-8. Save the file as "CSV UTF-8".':
    'La fila no es UTF-8 válido. Guarda el archivo como «CSV UTF-8».',
  'A quote in the first line is never closed. The first line must name the columns.':
    'En la primera línea se abren unas comillas que no se cierran. La primera línea debe nombrar las columnas.',
  'In the row that begins in line {0}, a quote is opened and never closed. Close it.':
    'En la fila que empieza en la línea {0} se abren unas comillas que no se cierran. Ciérralas.',
  'More than {0} values of the required column stand in several rows. Is this the right file? Nothing was loaded.':
    'Más de {0} valores de la columna obligatoria están en varias filas. ¿Es este el archivo correcto? No se cargó nada.',
  'No row could be applied since {0}: a row that the file changes was in use all the time, or the database could not be used. The log tells which, under the id of this import. Look for long transactions, then load the file again: rows that were applied are unchanged then.':
    'No se pudo aplicar ninguna fila desde {0}: una fila que el archivo cambia estuvo en uso todo el tiempo, o no se podía usar la base de datos. El registro dice cuál de las dos, con el id de esta importación. Busca transacciones largas y carga el archivo otra vez: las filas que se aplicaron no cambian.',
  'The column {0} is missing. The first line names: {1}. It must name {2}, and may name {3}.':
    'Falta la columna {0}. La primera línea nombra: {1}. Debe nombrar {2}, y puede nombrar {3}.',
  'The column {0} is no attribute of accounts: none is declared. Declare it, or remove the column.':
    'La columna {0} no es un atributo de las cuentas: no hay ninguno declarado. Decláralo o quita la columna.',
  'The column {0} is no attribute of accounts. Declared are: {1}. Declare it, or remove the column.':
    'La columna {0} no es un atributo de las cuentas. Los declarados son: {1}. Decláralo o quita la columna.',
  'The column {0} is there twice. Remove one of the two.': 'La columna {0} está dos veces. Quita una de las dos.',
  'The file is UTF-16. Save it as "CSV UTF-8" and upload that.':
    'El archivo es UTF-16. Guárdalo como «CSV UTF-8» y sube ese.',
  'The file is empty. Its first line must name the columns.':
    'El archivo está vacío. Su primera línea debe nombrar las columnas.',
  'The first line is longer than 64 KiB. It must name the columns.':
    'La primera línea mide más de 64 KiB. Debe nombrar las columnas.',
  'The row that begins in line {0} is longer than 16 MiB. Is a quote in it not closed?':
    'La fila que empieza en la línea {0} mide más de 16 MiB. ¿Hay en ella unas comillas sin cerrar?',
  'The upload was not completed within a day. Nothing was loaded.':
    'La subida no se completó en un día. No se cargó nada.',
};
