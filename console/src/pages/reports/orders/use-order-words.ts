import { useTranslation } from 'react-i18next';
import { useRoomName, useUserName } from '../../../api/use-names.ts';
import { titleOfRoom, titleOfUser } from '../../../ui/titles.ts';
import type { Case } from '../desk/case-orders.ts';
import { flagOf, type OrderDraft, targetOf } from './order-kinds.ts';

/** Returns what an order of a decision does, as a sentence. */
export function useOrderWords(current: Case): (draft: OrderDraft) => string {
  const { t } = useTranslation('reports');
  const { user_id: ofCase, room_id: roomOfCase } = current;
  const knownUser = useUserName(ofCase ?? '');
  const knownRoom = useRoomName(roomOfCase ?? '');
  return (draft) => {
    const userId = targetOf(draft, 'user_id', current);
    const roomId = targetOf(draft, 'room_id', current);
    const user = userId === ofCase ? titleOfUser(userId, knownUser) : userId || t('of_whom_missing');
    const room = roomId === roomOfCase ? titleOfRoom(roomId, knownRoom) : roomId || t('of_whom_missing');
    if (draft.kind === 'ban' && flagOf(draft, 'everywhere')) return t('effect_ban_everywhere', { user });
    if (draft.kind === 'deactivate' && flagOf(draft, 'erase')) return t('effect_erase', { user });
    if (draft.kind === 'delete_room' && !flagOf(draft, 'purge')) return t('effect_empty_room', { room });
    return t(`effect_${draft.kind}`, { user, room });
  };
}
