import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import type { Filter } from '../../ui/filters/filter.ts';
import { USER_TYPES } from './user-types.ts';

/** The filters of the list of users, with their labels. */
export function useUserFilterFields(mayReadRoles: boolean): readonly Filter[] {
  const { t } = useTranslation('users');
  const roles = useRead('roles.list', {});
  const flag = (id: string, label: string): Filter => ({ id, label, kind: 'flag' });
  return [
    { id: 'name', label: t('filter.name'), kind: 'text' },
    flag('admins', t('state.admin')),
    flag('is_locked', t('state.locked')),
    flag('suspended', t('state.suspended')),
    flag('shadow_banned', t('state.shadow_banned')),
    flag('is_deactivated', t('state.deactivated')),
    flag('erased', t('state.erased')),
    flag('awaits_approval', t('state.awaits_approval')),
    flag('is_guest', t('state.guest')),
    flag('never_seen', t('filter.never_seen')),
    flag('hide_bridges', t('filter.hide_bridges')),
    {
      id: 'user_type',
      label: t('user_type'),
      kind: 'choices',
      options: [
        { value: 'none', label: t('type_none') },
        ...USER_TYPES.map((value) => ({ value, label: value })),
      ],
    },
    ...(mayReadRoles
      ? [
          {
            id: 'role',
            label: t('filter.role'),
            kind: 'choice',
            options: (roles.data?.roles ?? []).map(({ name }) => ({ value: name, label: name })),
          } as const,
        ]
      : []),
    { id: 'threepid_contains', label: t('filter.threepid'), kind: 'text', placeholder: '@example.org' },
    {
      id: 'external_id',
      label: t('filter.external_id'),
      kind: 'text',
      placeholder: t('filter.external_form'),
    },
    { id: 'created_after', label: t('filter.created_after'), kind: 'time' },
    { id: 'created_before', label: t('filter.created_before'), kind: 'time' },
    { id: 'last_seen_after', label: t('filter.last_seen_after'), kind: 'time' },
    { id: 'last_seen_before', label: t('filter.last_seen_before'), kind: 'time' },
  ];
}
