import { useTranslation } from 'react-i18next';
import type { Case } from '../desk/case-orders.ts';
import { flagOf, type OrderDraft, targetOf } from './order-kinds.ts';

/** Returns what an order of a decision does, as a sentence. */
export function useOrderWords(current: Case): (draft: OrderDraft) => string {
  const { t } = useTranslation('reports');
  return (draft) => {
    const user = targetOf(draft, 'user_id', current) || t('of_whom_missing');
    const room = targetOf(draft, 'room_id', current) || t('of_whom_missing');
    if (draft.kind === 'ban' && flagOf(draft, 'everywhere')) return t('effect_ban_everywhere', { user });
    if (draft.kind === 'deactivate' && flagOf(draft, 'erase')) return t('effect_erase', { user });
    if (draft.kind === 'delete_room' && !flagOf(draft, 'purge')) return t('effect_empty_room', { room });
    return t(`effect_${draft.kind}`, { user, room });
  };
}
