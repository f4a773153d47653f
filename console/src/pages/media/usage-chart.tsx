import './usage-chart.css';
import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import type { Params } from '../../client/operation.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { UserLink } from '../../ui/links.tsx';
import { Note, QueryState } from '../../ui/query-state.tsx';

interface UsageChartProps {
  readonly selected: Params<'statistics.listMediaUsage'>;
  readonly by: 'media_length' | 'media_count';
}

/** How many users the chart compares. */
const USERS = 25;
/** What a bar leaves free for its number. */
const NUMBER_WIDTH = '6rem';

/** The users with the most media, as bars: a table, so that it is one for readers of the screen as well. */
export function UsageChart({ selected, by }: UsageChartProps) {
  const { t } = useTranslation('media');
  const { t: common } = useTranslation();
  const format = useFormat();
  const query = useRead(
    'statistics.listMediaUsage',
    { ...selected, order_by: by, dir: 'b', limit: USERS },
    { keepFormer: true },
  );
  return (
    <QueryState query={query} operation="statistics.listMediaUsage">
      {({ users }) => {
        const greatest = Math.max(1, ...users.map((user) => user[by]));
        const count = users.length;
        if (users.length === 0)
          return (
            <Note>{Object.keys(selected).length === 0 ? t('usage.empty') : common('state.no_match')}</Note>
          );
        return (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
          <section className="usage-chart" tabIndex={0} aria-label={t('tab_usage')}>
            <table>
              <caption>
                {by === 'media_length'
                  ? t('usage.chart_bytes', { count })
                  : t('usage.chart_count', { count })}
              </caption>
              <thead>
                <tr>
                  <VisuallyHidden component="th" {...{ scope: 'col' }}>
                    {t('usage.user')}
                  </VisuallyHidden>
                  <VisuallyHidden component="th" {...{ scope: 'col' }}>
                    {by === 'media_length' ? t('usage.bytes') : t('usage.count')}
                  </VisuallyHidden>
                </tr>
              </thead>
              <tbody>
                {users.map((user) => (
                  <tr key={user.user_id}>
                    <th scope="row" title={user.displayname ?? undefined}>
                      <UserLink id={user.user_id} />
                    </th>
                    <td>
                      <div className="usage-chart-bar">
                        <span style={{ width: `calc((100% - ${NUMBER_WIDTH}) * ${user[by] / greatest})` }} />
                        {by === 'media_length' ? format.bytes(user[by]) : format.number(user[by])}
                      </div>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        );
      }}
    </QueryState>
  );
}
