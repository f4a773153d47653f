import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * Returns what an action of the audit log or an event of the feed did, in words. The server may know names that this page does not: those
 * stand for themselves.
 *
 * @param part which names these are
 */
export function usePhrase(part: 'actions' | 'events'): (name: string) => string {
  const { t } = useTranslation(part);
  return useCallback((name) => t(name as never, { defaultValue: name }), [t]);
}
