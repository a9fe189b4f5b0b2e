import { t } from '../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { KeyOrigin } from '../../../contract/keys/batches.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { api } from '../../lib/core/rpc.ts'
import { useRequestedPage } from '../../lib/requested-page.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import styles from './key-history.module.css'
import { useWithdrawBatch } from './use-withdraw-batch.tsx'

const claimsOf = (count: number): string => t('counts.claims', { count })

/**
 * Shown if claims on the key's batch exceed the threshold: their share, and a button to withdraw
 * the batch from the offer. `title` replaces the share; `more` adds actions.
 */
export function BatchAlarm({
  origin,
  title,
  more,
}: {
  origin: KeyOrigin
  title?: string
  more?: ReactNode
}) {
  const account = useAccount()
  const open = (path: string): void =>
    useRequestedPage.setState({ place: { accountId: account.id, path } })
  const alarm = useQuery(
    api.disputes.alarms.queryOptions({ input: { accountId: account.id } }),
  ).data?.find((each) => each.batchId === origin.batchId)
  const settings = useQuery(api.app.settings.queryOptions()).data
  const withdraw = useWithdrawBatch(account, alarm ?? null)
  if (alarm === undefined) return null
  return (
    <section className={styles.alarm} aria-label="Batch alarm">
      <h3>
        {title ??
          `Batch alarm: ${((alarm.claimed / Math.max(1, alarm.keys)) * 100).toFixed(1)} % claimed`}
      </h3>
      <p>
        {settings === undefined
          ? ''
          : `Your threshold is ${claimsOf(settings.alarmClaims)} and ${settings.alarmPercent} %. `}
        {t('screens.alarm-for-sale', { count: alarm.forSale })}
      </p>
      <div>
        {alarm.forSale === 0 ? null : (
          <Button
            kind="danger"
            disabled={withdraw.ask === null}
            title={withdraw.reason}
            onClick={() => withdraw.ask?.()}
          >
            Pause and withdraw…
          </Button>
        )}
        <Button onClick={() => open(`/batches/${encodeURIComponent(origin.batchId)}`)}>
          {claimsOf(alarm.claimed)}
        </Button>
        {more}
      </div>
      {withdraw.dialog}
    </section>
  )
}
