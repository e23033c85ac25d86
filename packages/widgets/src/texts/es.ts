import type { Text, TextKey } from './en.ts';

/** Spanish. */
export const es: Readonly<Record<TextKey, Text>> = {
  offline: 'Sin conexión. Este es el último estado conocido.',
  waiting: 'Todavía no hay datos. Aparecerán cuando vuelva la conexión.',
  refused: 'Esto no se puede mostrar ahora.',
  loading: 'Cargando',

  pointsTitle: 'Puntos',
  points: { one: 'punto', other: 'puntos' },
  pointsPending: { one: '{count} punto más está en espera', other: '{count} puntos más están en espera' },
  pointsExpire: { one: '{count} punto caduca el {date}', other: '{count} puntos caducan el {date}' },
  pointsDebt: {
    one: 'Se debe {count} punto. Los próximos puntos lo pagan primero.',
    other: 'Se deben {count} puntos. Los próximos puntos los pagan primero.',
  },

  levelTitle: 'Nivel',
  levelNone: 'Todavía sin nivel',
  levelMissing: '{count} para {level}',
  levelProgress: '{percent} del camino a {level}',
  levelHighest: 'El nivel más alto',
  levelReview: 'Se conserva hasta el {date}',
  levelFalls: 'Baja a {level} el {date}',
  levelEnds: 'Termina el {date}',

  badgesTitle: 'Insignias',
  badgesEarned: '{count} de {total}',
  badgesNone: 'Todavía no hay insignias',
  badgeEarned: 'Conseguida el {date}',
  badgeMissing: 'Aún no conseguida',
  badgeSecret: 'Insignia secreta',
  badgeRarity: 'La tiene el {percent}',
};
