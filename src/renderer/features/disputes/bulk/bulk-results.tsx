import { NativeSelect } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { BulkReply } from '../../../../contract/disputes/dispute-replies.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { AccountLink } from '../../../lib/account/account-link.tsx'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { saveText } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatMoment } from '../../../ui/format.ts'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { outcomeWords } from '../words.ts'
import { bulkCsv, resultWord } from './bulk-csv.ts'
import { BulkRetry } from './bulk-retry.tsx'
import { useBulkReplies } from './use-bulk-replies.ts'
import styles from './bulk.module.css'
import disputeStyles from '../disputes.module.css'

/** The latest bulk replies of the listed accounts with the result of each line. */
export function BulkResults({
  accounts,
  accountName,
  onClose,
}: {
  accounts: readonly Account[]
  /** Names an account if several are listed. */
  accountName: (accountId: string) => string | null
  onClose: () => void
}) {
  // Keydesk recorded when they were written, by this computer's clock.
  const now = useNow(60_000)
  const [path] = useLocation()
  const openedOn = useRef(path)
  // A link of the dialog opens its dispute.
  useEffect(() => {
    if (path !== openedOn.current) onClose()
  }, [path, onClose])
  const [chosen, setChosen] = useState<string | null>(null)
  const bulks = useBulkReplies(accounts)
  const shown = bulks.find((each) => each.bulk.bulkId === chosen) ?? bulks[0]
  const bulk = shown?.bulk
  const failed = bulk?.retry.count ?? 0
  const [retries, setRetries] = useState(false)
  if (retries && shown !== undefined)
    return <BulkRetry {...shown} onClose={() => setRetries(false)} />
  return (
    <Dialog
      opened={bulk !== undefined}
      onClose={onClose}
      account={shown?.account}
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
        data={bulks.map(({ account: { id }, bulk: { bulkId, outcome, writtenAt, lines } }) => ({
          value: bulkId,
          label: [
            accountName(id),
            formatMoment(writtenAt, now),
            outcomeWords[outcome].choice,
            t('screens.disputes-replies', { count: lines.length }),
          ]
            .filter((part) => part !== null)
            .join(' · '),
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
