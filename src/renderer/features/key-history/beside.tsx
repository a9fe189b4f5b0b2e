import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { KeyStory } from '../../../contract/key-history.ts'
import { useAccount } from '../../lib/current-account.ts'
import { api } from '../../lib/rpc.ts'
import { LinkButton } from '../../ui/button.tsx'
import { formatCount, formatDay } from '../../ui/format.ts'
import { PanelSection } from '../../ui/page.tsx'
import { BatchSquares } from '../batches/batch-squares.tsx'
import { BatchAlarm } from './batch-alarm.tsx'
import styles from './key-history.module.css'
import { neighbourWords } from './words.ts'

/**
 * What stands beside a key's story: its batch, its neighbours in the file, what nobody can know,
 * its other uploads.
 */
export function Beside({ story }: { story: KeyStory }) {
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
          title={`${batch.data.name}, its batch`}
          aside={`${formatCount(batch.data.keys)} keys, in the order of the file`}
        >
          <BatchSquares batch={batch.data} />
          <p className={styles.text}>
            <LinkButton onClick={() => go(`/batches/${encodeURIComponent(batchId ?? '')}`)}>
              Show its batch
            </LinkButton>
          </p>
        </PanelSection>
      )}
      {story.origin === null ? null : (
        <BatchAlarm key={story.origin.batchId} origin={story.origin} />
      )}
      {story.neighbours.length < 2 ? null : (
        <PanelSection title="Its neighbours in the file" aside="fingerprints only, no keys">
          <table className={styles.near} aria-label="Its neighbours in the file">
            <tbody>
              {story.neighbours.map((each) => (
                <tr key={each.line} data-this={each.isThis || undefined} data-state={each.state}>
                  <td>{formatCount(each.line)}</td>
                  <td>{story.origin === null ? '' : `import ${story.origin.importNumber}`}</td>
                  <td>
                    {each.isThis
                      ? 'This key'
                      : `${neighbourWords[each.state]}${each.at === null ? '' : ` ${formatDay(each.at)}`}`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </PanelSection>
      )}
      <PanelSection title="What can’t be known">
        <p className={styles.text}>
          Who used the key before.{' '}
          {story.told.untold === 0
            ? 'Where a service sends no keySha256, the story ends with the upload; this one sent it with every sale known here.'
            : `Which key was sold is not known of ${formatCount(story.told.untold)} of ${formatCount(story.told.sales)} sales: the service didn’t tell it, or the vault was shut when they were read. If this key is one of them, its story ends with the upload here.`}
        </p>
      </PanelSection>
      <PanelSection title="Other uploads of this key">
        {others.length === 0 ? (
          <p className={styles.text}>
            None from this console. Another seller’s upload would count as a duplicate and be
            skipped.
          </p>
        ) : (
          others.map((each) => (
            <p key={`${each.batchId}-${each.fileName}-${each.line}`} className={styles.text}>
              {each.batchName}: {each.fileName}, line {formatCount(each.line)} (
              {each.fate === 'added'
                ? 'added'
                : each.fate === 'duplicate'
                  ? 'skipped'
                  : each.fate === 'refused'
                    ? 'not taken'
                    : 'not told apart'}
              )
            </p>
          ))
        )}
      </PanelSection>
    </>
  )
}
