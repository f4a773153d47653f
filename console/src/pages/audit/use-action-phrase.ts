import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** Returns what an action of the log did, in words; the name of the action where there are none for it. */
export function useActionPhrase(): (action: string) => string {
  const { t } = useTranslation('actions');
  // The actions are text of the server, which may be newer than this page.
  return useCallback((action) => t(action as 'user.deactivate', { defaultValue: action }), [t]);
}
