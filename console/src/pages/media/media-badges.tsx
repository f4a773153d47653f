import { Badge, Group } from '@mantine/core';
import type { InventoryMedia } from '@steward/sdk';
import { useTranslation } from 'react-i18next';

type States = Pick<InventoryMedia, 'quarantined_by' | 'protected' | 'orphaned'>;

/** The states of a medium that are not the usual ones. */
export function MediaBadges({ media }: { readonly media: States }) {
  const { t } = useTranslation('media');
  const { quarantined_by: by, protected: isProtected, orphaned } = media;
  return (
    <Group gap={4} wrap="nowrap">
      {by !== null && (
        <Badge variant="outline" tt="none" color="red">
          {t('quarantined')}
        </Badge>
      )}
      {isProtected && (
        <Badge variant="outline" tt="none" color="green">
          {t('protected')}
        </Badge>
      )}
      {orphaned === true && (
        <Badge variant="outline" tt="none" color="gray">
          {t('orphaned')}
        </Badge>
      )}
    </Group>
  );
}
