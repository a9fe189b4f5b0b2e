import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { BulkReply } from '../../../../contract/disputes/dispute-replies.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { AccountLink } from '../../../lib/account/account-link.tsx'
import { useAccountNow } from '../../../lib/account/account-time.tsx'
import { api } from '../../../lib/core/rpc.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { saveText } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatMoment } from '../../../ui/format.ts'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { outcomeWords } from '../words.ts'
import { bulkCsv, resultWord } from './bulk-csv.ts'
import { BulkRetry } from './bulk-retry.tsx'
import styles from './bulk.module.css'
import disputeStyles from '../disputes.module.css'

/** The latest bulk replies with the result of each line. */
export function BulkResults({ account, onClose }: { account: Account; onClose: () => void }) {
  const now = useAccountNow()
  const [path] = useLocation()
  const openedOn = useRef(path)
  // A link of the dialog opens its dispute.
  useEffect(() => {
    if (path !== openedOn.current) onClose()
  }, [path, onClose])
  const [chosen, setChosen] = useState<string | null>(null)
  const bulks =
    useQuery(api.disputes.bulkReplies.queryOptions({ input: { accountId: account.id } })).data ?? []
  const bulk = bulks.find(({ bulkId }) => bulkId === chosen) ?? bulks[0]
  const failed = bulk?.retry.count ?? 0
  const [retries, setRetries] = useState(false)
  if (retries && bulk !== undefined)
    return <BulkRetry account={account} bulk={bulk} onClose={() => setRetries(false)} />
  return (
    <Dialog
      opened={bulk !== undefined}
      onClose={onClose}
      account={account}
      title="Bulk replies"
      width={760}
      actions={
        <>
          <Button
            size="md"
            onClick={() => {
              if (bulk !== undefined) saveText(`bulk-reply-${bulk.bulkId}.csv`, bulkCsv(bulk))
            }}
          >
            Save as CSV
          </Button>
          {failed === 0 || bulk === undefined ? null : (
            <Button size="md" onClick={() => setRetries(true)}>
              {t('screens.disputes-retry', { count: failed })}
            </Button>
          )}
          <Button size="md" kind="primary" onClick={onClose} data-autofocus>
            Close
          </Button>
        </>
      }
    >
      <NativeSelect
        aria-label="Bulk reply"
        className={styles.chosen ?? ''}
        size="md"
        value={bulk?.bulkId ?? ''}
        data={bulks.map(({ bulkId, outcome, writtenAt, lines }) => ({
          value: bulkId,
          label: [
            formatMoment(writtenAt, now),
            outcomeWords[outcome].choice,
            t('screens.disputes-replies', { count: lines.length }),
          ].join(' · '),
        }))}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
      />
      {bulk === undefined ? null : <Lines bulk={bulk} />}
    </Dialog>
  )
}

function Lines({ bulk }: { bulk: BulkReply }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
    <div className={styles.lines} role="region" aria-label="Results" tabIndex={0}>
      <ul>
        {bulk.lines.map((line) => (
          <li key={line.replyId} data-state={line.state}>
            <AccountLink
              accountId={line.accountId}
              className={`kd-mono ${disputeStyles.link}`}
              path={`/disputes/${encodeURIComponent(line.disputeId)}`}
            >
              {line.disputeId}
            </AccountLink>
            <span>
              <b>{line.name}</b> {variantLabel(line)}
              {line.problem === null || line.state !== 'failed' ? null : (
                <small>
                  {line.problem.what} {line.problem.next}
                </small>
              )}
            </span>
            <span>{resultWord(line)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
