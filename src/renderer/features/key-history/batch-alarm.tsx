import { t } from '../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import type { KeyOrigin } from '../../../contract/keys/batches.ts'
import type { UndoPlan } from '../../../contract/keys/import-records.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { UndoDialog } from '../key-import/report/undo-dialog.tsx'
import styles from './key-history.module.css'

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
  const [, go] = useLocation()
  const [asked, setAsked] = useState<UndoPlan | null>(null)
  const accountId = account.id
  const { batchId, importId, offerId } = origin
  const alarm = useQuery(api.disputes.alarms.queryOptions({ input: { accountId } })).data?.find(
    (each) => each.batchId === batchId,
  )
  const batch = useQuery(api.batches.batch.queryOptions({ input: { accountId, batchId } })).data
  const settings = useQuery(api.app.settings.queryOptions()).data
  const plan = useQuery({
    ...api.imports.undoPlan.queryOptions({ input: { importId } }),
    enabled: alarm !== undefined,
  }).data?.find((each) => each.offerId === offerId)
  if (alarm === undefined || batch === undefined) return null
  // A claim can be synced before its sale.
  const sold = Math.max(batch.sold, batch.claimed)
  const forSale = Math.max(0, batch.keys - sold - batch.gone)
  const ask = (): void =>
    void openVault().then(
      (opened) => {
        if (opened && plan !== undefined) setAsked(plan)
      },
      (error: unknown) => void toastProblem(problemOf(error)),
    )
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
        {t('screens.alarm-for-sale', { count: forSale })}
      </p>
      <div>
        {forSale === 0 ? null : (
          <Button
            kind="danger"
            disabled={plan === undefined || plan.problem !== null}
            title={plan?.problem?.what}
            onClick={ask}
          >
            Pause and withdraw…
          </Button>
        )}
        <Button onClick={() => go(`/batches/${encodeURIComponent(batchId)}`)}>
          {claimsOf(alarm.claimed)}
        </Button>
        {more}
      </div>
      {asked === null ? null : (
        <UndoDialog
          importId={importId}
          plan={asked}
          sold={sold}
          onClose={() => setAsked(null)}
          onBegun={() =>
            toast({
              kind: 'waits',
              title: 'Withdrawing the batch',
              text: 'Keydesk continues in the background. See the import for its progress.',
              action: { label: 'View import', run: () => go(`/import/${importId}`) },
            })
          }
        />
      )}
    </section>
  )
}
