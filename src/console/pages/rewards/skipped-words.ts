import { useTranslations } from 'use-intl';
import { type SkippedReward, SkippedReward_Reason as Reason } from '../../../../gen/laurel/v1/reward_pb.ts';
import { skippedRewardReasons } from '../../../../gen/skipped-reward-reasons.ts';
import { enumName } from '../../api/enum-name.ts';
import { useStoredWords } from '../../language/use-service-words.ts';

/** Values in an explanation are separated by a comma, and each begins with its name. */
const BETWEEN_VALUES = /, (?=(?:event|account|mission)\.|now )/;

/** Says which reward an account did not get, and why. */
export function useSkippedWords(): (skipped: SkippedReward) => string {
  const t = useTranslations('rewards');
  const words = useStoredWords();
  function valueInWords(text: string): string {
    // A stored sentence with so few letters is not recognised by its words.
    const [, name, value] = /^(\S+) is (.+)$/s.exec(text) ?? [];
    return name === undefined || value === undefined || value === 'missing'
      ? words(text)
      : t('valueOf', { name, value });
  }
  return ({ name, reason, explanation }) => {
    const named = enumName(Reason, reason);
    const values = explanation.slice(skippedRewardReasons[named].length).trim().replace(/\.$/, '');
    const inWords = values.split(BETWEEN_VALUES).map(valueInWords).join(', ');
    const why = t(`skipReasons.${named}`);
    return t('skipped', { reward: name || t('someReward'), why: values === '' ? why : `${why} ${inWords}.` });
  };
}
