/** Texts of support's operations on an account. */
export const support = {
  actions: 'Acciones',
  save: 'Guardar cambios',
  reward: 'Recompensa',
  audiencesOf: 'Audiencias',
  externalIdHint: 'Los eventos con otro id van desde entonces a otra cuenta.',
  timeZoneHint: 'Si queda vacía, vale la del cliente.',
  grant: {
    name: 'Dar una recompensa',
    hint: 'La cuenta la recibe como si la hubiera ganado, sin campaña. Lo que no tiene existencias queda en espera. Ningún webhook lo comunica.',
    done: 'La cuenta tiene la recompensa.',
    waits: 'La recompensa espera existencias.',
  },
  edit: { name: 'Modificar la cuenta', done: 'La cuenta está modificada.' },
  export: { name: 'Descargar todos los datos', done: 'Se ha descargado como JSON todo lo que se guarda de la cuenta.' },
  audiences: {
    name: 'Cambiar audiencias',
    hint: 'Las campañas de una audiencia se ofrecen a la cuenta mientras está en ella. Lo que ha ganado se queda.',
    same: 'Todavía no hay ningún cambio.',
    done: 'Las audiencias están cambiadas.',
  },
  delete: {
    name: 'Eliminar la cuenta',
    title: '¿Eliminar esta cuenta?',
    hint: 'Desaparece de las listas y ya no se puede usar; se devuelve lo que tiene reservado y lo que espera existencias. Su próximo evento crea una cuenta nueva.',
    done: 'La cuenta está eliminada.',
  },
  erase: {
    name: 'Borrar los datos de la cuenta',
    title: '¿Borrar esta cuenta para siempre?',
    hint: 'La cuenta se elimina y desaparece para siempre lo que dice de quién era: ids, nombre, correo, códigos. Nadie puede deshacerlo.',
    done: 'Los datos de la cuenta están borrados.',
  },
  openChest: 'Abrir',
  openChestOf: 'Abrir {name}',
  openChestTitle: '¿Abrir {name} por la cuenta?',
  openChestHint: 'El contenido se sortea ahora y se entrega al momento, como si la cuenta lo hubiera abierto.',
  chestOpened: 'El cofre está abierto.',
  claim: 'Reclamar',
  claimOf: 'Reclamar {name}',
  claimTitle: '¿Reclamar {name} por la cuenta?',
  claimHint:
    'La cuenta recibe ahora las recompensas por completar la campaña, como si las hubiera reclamado. El webhook de recompensas lo comunica.',
  claimed: 'La campaña está reclamada.',
  cancelVerb: 'Cancelar',
  cancelRedemption: 'Cancelar canje',
  cancelRedemptionOf: 'Cancelar {name}',
  cancelRedemptionTitle: '¿Cancelar el canje de {name}?',
  cancelRedemptionHint:
    '{points, plural, =0 {No costó puntos, así que no vuelve ninguno.} one {Vuelve # punto a la cuenta.} other {Vuelven # puntos a la cuenta.}} {count, plural, one {# unidad no vuelve} other {# unidades no vuelven}} a las existencias: añade unidades al producto si se pueden dar otra vez.',
  redemptionCancelled:
    '{points, plural, =0 {El canje está cancelado.} one {El canje está cancelado, # punto ha vuelto.} other {El canje está cancelado, # puntos han vuelto.}}',
};
