import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import type { Selector } from './media-search.ts';
import { useFilterLabels } from './use-media-filters.ts';

/** The filters of an order, in words. */
export function SelectorWords({ selector }: { readonly selector: Selector }) {
  const { t } = useTranslation('media');
  const { t: common } = useTranslation();
  const format = useFormat();
  const labels = useFilterLabels();
  const wordsOf = (id: string, value: string | number | boolean) => {
    if (typeof value === 'boolean') return value ? common('table.yes') : common('table.no');
    if (typeof value === 'string') return value;
    return id.startsWith('size') ? format.number(value) : format.dateTime(value);
  };
  return (
    <Text size="sm">
      {t('all.filters')}:{' '}
      {Object.entries(selector).map(([id, value], index) => (
        <span key={id}>
          {index > 0 && ' · '}
          {labels[id as keyof Selector]}: <bdi>{wordsOf(id, value)}</bdi>
        </span>
      ))}
    </Text>
  );
}
