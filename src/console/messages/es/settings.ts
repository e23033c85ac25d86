/** A person's own settings. */
export const settings = {
  title: 'Ajustes',
  description: 'Tu perfil, tu contraseña y cómo muestra la consola este navegador.',
  profile: 'Perfil',
  name: 'Nombre',
  email: 'Correo electrónico',
  role: 'Función',
  client: 'Cliente',
  clientZone: 'Zona horaria del cliente',
  display: 'Presentación',
  displayHint: 'Se guarda en este navegador.',
  language: 'Idioma',
  scheme: 'Colores',
  schemes: { auto: 'Los del sistema', light: 'Claros', dark: 'Oscuros' },
  timeZone: 'Zona horaria',
  timeZoneHint: 'Las horas de la consola se muestran en sus relojes.',
  password: 'Contraseña',
  passwordHint: 'Al cambiarla terminan tus sesiones en otros navegadores.',
};

/** El segundo factor de quien ha entrado. */
export const secondFactor = {
  title: 'Segundo factor',
  hint: 'Además de la contraseña, al entrar se pide un código de una aplicación de tu teléfono. Al entrar con un proveedor, no.',
  off: 'Desactivado',
  on: 'Activado',
  left: '{count, plural, =0 {No queda ningún código de recuperación: desactívalo y actívalo de nuevo para tener otros.} one {Queda # código de recuperación.} other {Quedan # códigos de recuperación.}}',
  enable: 'Activar',
  enableTitle: 'Activar el segundo factor',
  next: 'Siguiente',
  scan: 'Escanéalo con una aplicación de autenticación, o escribe en ella la clave. Después introduce el código que muestra.',
  qr: 'Código QR de la clave',
  key: 'Clave',
  codeHint: 'Las seis cifras que muestra la aplicación.',
  confirm: 'Activar',
  enabled: 'El segundo factor está activado. Tus sesiones en otros navegadores se han cerrado.',
  codesTitle: 'Tus códigos de recuperación',
  codes: 'Códigos de recuperación',
  codesHint:
    'Con cada uno puedes entrar una vez si pierdes la aplicación. No se vuelven a mostrar: guárdalos aparte de tu contraseña.',
  disable: 'Desactivar',
  disableTitle: 'Desactivar el segundo factor',
  disabled: 'El segundo factor está desactivado.',
  disableRequired:
    '{name} lo exige: para cambiar de teléfono, configura el nuevo enseguida. Hasta entonces no se abre nada más.',
  require: 'Exigirlo a todos los que trabajan para {name}',
  requireHint:
    'Quien entre con contraseña y no tenga uno tendrá que configurarlo antes de que se abra nada más, también en las sesiones abiertas. No se pide al entrar con un proveedor, ni a las claves de API.',
  nowRequired: '{name} exige ahora un segundo factor.',
  noLongerRequired: '{name} ya no exige un segundo factor.',
  firstTitle: 'Configura un segundo factor',
  firstHint:
    '{name} lo exige a quien entra con contraseña. Necesitas una aplicación de autenticación en tu teléfono. Después sigues donde estabas.',
  first: 'Configurar',
  ownClient: 'Tu cliente',
};
