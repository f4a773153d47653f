import { StewardError } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { isUnknownOutcome } from '../../api/outcome.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { explanationOf } from './refusals.ts';

const SHORTEST_PAUSE_MS = 1_000;

/** Returns a sentence in the language of the user for what failed: a read, or an order, which may have been carried out. */
export function useExplanation(): (error: unknown, of: 'read' | 'order') => string | undefined {
  const { t } = useTranslation();
  const format = useFormat();
  return (error, of) => {
    if (!(error instanceof StewardError)) return undefined;
    if (of === 'order' && isUnknownOutcome(error)) return t('error.unknown_outcome');
    const explanation = explanationOf(error);
    const time = format.duration(Math.max(error.retryAfterMs ?? 0, SHORTEST_PAUSE_MS));
    return explanation && t(`error.${explanation}`, { time });
  };
}
