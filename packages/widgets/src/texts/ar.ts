import type { Text, TextKey } from './en.ts';

/** Arabic. */
export const ar: Readonly<Record<TextKey, Text>> = {
  offline: 'لا يوجد اتصال. هذه آخر حالة معروفة.',
  waiting: 'لا توجد بيانات بعد. ستظهر عند عودة الاتصال.',
  refused: 'لا يمكن عرض هذا الآن.',
  loading: 'جارٍ التحميل',

  pointsTitle: 'النقاط',
  points: { zero: 'نقطة', one: 'نقطة', two: 'نقطتان', few: 'نقاط', many: 'نقطة', other: 'نقطة' },
  pointsPending: { few: '{count} نقاط أخرى قيد الانتظار', other: '{count} نقطة أخرى قيد الانتظار' },
  pointsExpire: { few: 'تنتهي صلاحية {count} نقاط في {date}', other: 'تنتهي صلاحية {count} نقطة في {date}' },
  pointsDebt: {
    few: 'عليك {count} نقاط. تُسدَّد أولًا من النقاط القادمة.',
    other: 'عليك {count} نقطة. تُسدَّد أولًا من النقاط القادمة.',
  },

  levelTitle: 'المستوى',
  levelNone: 'لا مستوى بعد',
  levelMissing: '{count} للوصول إلى {level}',
  levelProgress: '{percent} من الطريق إلى {level}',
  levelHighest: 'أعلى مستوى',
  levelReview: 'محفوظ حتى {date}',
  levelFalls: 'ينخفض إلى {level} في {date}',
  levelEnds: 'ينتهي في {date}',

  badgesTitle: 'الشارات',
  badgesEarned: '{count} من {total}',
  badgesNone: 'لا توجد شارات بعد',
  badgeEarned: 'تم الحصول عليها في {date}',
  badgeMissing: 'لم يتم الحصول عليها بعد',
  badgeSecret: 'شارة سرية',
  badgeRarity: 'يملكها {percent}',
};
