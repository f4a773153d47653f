import { useTranslation } from 'react-i18next';
import type { MediaOrder } from './media-orders.ts';

/** What an order about media does, each consequence a sentence. */
export function useConsequences(): (key: MediaOrder['key']) => readonly string[] {
  const { t } = useTranslation('media');
  return (key) => {
    switch (key) {
      case 'quarantine':
        return [t('quarantine.effect'), t('quarantine.effect_bytes'), t('quarantine.effect_protected')];
      case 'delete':
        return [t('delete.effect'), t('delete.effect_shown')];
      case 'release':
        return [t('release.effect')];
      case 'protect':
        return [t('protect.effect')];
      case 'unprotect':
        return [t('unprotect.effect')];
    }
  };
}
