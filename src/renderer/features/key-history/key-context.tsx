import { t } from '../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { KeyHistoryResult } from '../../../contract/keys/key-history.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { api } from '../../lib/core/rpc.ts'
import { LinkButton } from '../../ui/controls/buttons/button.tsx'
import { formatCount, formatDay } from '../../ui/format.ts'
import { PanelSection } from '../../ui/layout/page.tsx'
import { BatchSquares } from '../batches/batch-squares.tsx'
import { BatchAlarm } from './batch-alarm.tsx'
import styles from './key-history.module.css'
import { adjacentWords, outcomeWords } from './words.ts'

/**
 * Shown next to a key's history: its batch, the adjacent lines of its file, limits of the data, and
 * its other uploads.
 */
export function KeyContext({ story }: { story: KeyHistoryResult }) {
  const account = useAccount()
  const [, go] = useLocation()
  const batchId = story.origin?.batchId ?? null
  const batch = useQuery({
    ...api.batches.batch.queryOptions({ input: { accountId: account.id, batchId: batchId ?? '' } }),
    enabled: batchId !== null,
  })
  const others = story.uploads.filter(
    ({ importNumber, line }) =>
      importNumber !== story.origin?.importNumber || line !== story.origin.line,
  )
  return (
    <>
      {batch.data === undefined ? null : (
        <PanelSection
          title={`Batch: ${batch.data.name}`}
          aside={`${t('counts.keys', { count: batch.data.keys })} in file order`}
        >
          <BatchSquares batch={batch.data} />
          <p className={styles.text}>
            <LinkButton onClick={() => go(`/batches/${encodeURIComponent(batchId ?? '')}`)}>
              View batch
            </LinkButton>
          </p>
        </PanelSection>
      )}
      {story.origin === null ? null : (
        <BatchAlarm key={story.origin.batchId} origin={story.origin} />
      )}
      {story.neighbours.length < 2 ? null : (
        <PanelSection title="Adjacent lines in the file" aside="fingerprints only, no keys">
          <table className={styles.near} aria-label="Adjacent lines in the file">
            <tbody>
              {story.neighbours.map((each) => (
                <tr key={each.line} data-this={each.isThis || undefined} data-state={each.state}>
                  <td>{formatCount(each.line)}</td>
                  <td>{story.origin === null ? '' : `import ${story.origin.importNumber}`}</td>
                  <td>
                    {each.isThis
                      ? 'This key'
                      : `${adjacentWords[each.state]}${each.at === null ? '' : ` ${formatDay(each.at)}`}`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </PanelSection>
      )}
      <PanelSection title="Limits of this history">
        <p className={styles.text}>
          Keydesk can’t know who used the key before.{' '}
          {story.told.untold === 0
            ? 'If a service doesn’t send keySha256, the history ends with the upload. ' +
              'This service sent it with every known sale.'
            : `For ${formatCount(story.told.untold)} of ${t('counts.sales', { count: story.told.sales })}, ` +
              'the sold key is unknown: the service didn’t report it, or the vault was locked during the sync. ' +
              'If this key is one of them, its history ends with the upload.'}
        </p>
      </PanelSection>
      <PanelSection title="Other uploads of this key">
        {others.length === 0 ? (
          <p className={styles.text}>
            None from Keydesk. If another seller uploads this key, the service skips it as a
            duplicate.
          </p>
        ) : (
          others.map((each) => (
            <p key={`${each.batchId}-${each.fileName}-${each.line}`} className={styles.text}>
              {each.batchName}: {each.fileName}, line {formatCount(each.line)} (
              {outcomeWords[each.fate]})
            </p>
          ))
        )}
      </PanelSection>
    </>
  )
}
