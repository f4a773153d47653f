import { StewardError } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';

const FORBIDDEN = 403;

/**
 * Returns what a refusal says about a code.
 *
 * @param serverTs the time of the server, for an app whose codes are refused
 */
export function useCodeRefusal(serverTs: number): (error: Error) => string | undefined {
  const { t } = useTranslation('session');
  const format = useFormat();
  return (error) =>
    error instanceof StewardError && error.status === FORBIDDEN
      ? t('code_wrong', { time: format.dateTime(serverTs) })
      : undefined;
}
