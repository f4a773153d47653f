import { useTranslation } from 'react-i18next';
import { useMe } from '../../session/use-session.ts';
import type { Filter } from '../../ui/filters/filter.ts';
import { serverOf } from './media-id.ts';
import { MEDIA_FILTERS, type Selector } from './media-search.ts';

/** What the filters of the inventory are called. */
export function useFilterLabels(): Readonly<Record<keyof Selector, string>> {
  const { t } = useTranslation('media');
  return {
    user_id: t('user'),
    room_id: t('room'),
    origin: t('origin'),
    type: t('type'),
    size_min: t('size_min'),
    size_max: t('size_max'),
    created_after: t('created_after'),
    created_before: t('created_before'),
    accessed_after: t('accessed_after'),
    accessed_before: t('accessed_before'),
    never_accessed: t('never_accessed'),
    quarantined: t('quarantined'),
    protected: t('protected'),
    orphaned: t('orphaned'),
  };
}

/** The filters of the inventory. */
export function useMediaFilters(): readonly Filter[] {
  const { t } = useTranslation('media');
  const labels = useFilterLabels();
  const server = serverOf(useMe().user_id);
  const placeholders: Partial<Record<keyof Selector, string>> = {
    user_id: `${labels.user_id}: @name:${server}`,
    room_id: `!room:${server}`,
    origin: t('origin_hint', { server }),
    type: t('type_hint'),
  };
  return Object.entries(MEDIA_FILTERS).map(([id, kind]) => {
    const key = id as keyof Selector;
    return { id, kind, label: labels[key], placeholder: placeholders[key] };
  });
}
