/** Notes of the service in the audit log: see `service-messages.ts`. */
export const serviceNotes: Readonly<Record<string, string>> = {
  '{0} codes added.': 'Códigos añadidos: {0}.',
  '{0} units added.': 'Unidades añadidas: {0}.',
  '{0} units added: {1}': 'Unidades añadidas: {0}. {1}',
  '{0} units withdrawn.': 'Unidades retiradas: {0}.',
  '{0} units withdrawn: {1}': 'Unidades retiradas: {0}. {1}',
  '{0} unused codes withdrawn.': 'Códigos sin usar retirados: {0}.',
  '{0} wrong passwords in the hour from {1}.': '{0} contraseñas incorrectas en la hora que empezó el {1}.',
  'A wrong password.': 'Una contraseña incorrecta.',
  'The secret was sent again.': 'El secreto se envió de nuevo.',
  'The secret was sent again. The signing secret was rotated.':
    'El secreto se envió de nuevo. Se renovó el secreto de firma.',
  'The signing secret was rotated.': 'Se renovó el secreto de firma.',
};
