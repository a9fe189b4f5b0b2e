import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconCertificate, IconClock, IconLock, IconWallet } from '@tabler/icons-react'
import { useState } from 'react'
import type { OrderDetail } from '../../../contract/orders.ts'
import { useAccount } from '../../lib/current-account.ts'
import { problemOf } from '../../lib/problem.ts'
import { api } from '../../lib/rpc.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ProblemCodes } from '../../ui/error-state.tsx'
import { formatMoment } from '../../ui/format.ts'
import { Notice } from '../../ui/notice.tsx'
import { toast, toastProblem } from '../../ui/toasts.tsx'
import styles from './orders.module.css'

const keysOf = (count: number): string => (count === 1 ? '1 key' : `${count} keys`)

/**
 * Keys that wait at the service. The first download is its proof of delivery, so it is asked for,
 * with everything that it means.
 */
export function DownloadKeys({ order }: { order: OrderDetail }) {
  const account = useAccount()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const download = useMutation(
    api.orders.downloadKeys.mutationOptions({
      onSuccess: (detail) => {
        client.setQueryData(
          api.orders.order.queryKey({ input: { accountId: account.id, orderId: order.orderId } }),
          detail,
        )
        toast({
          title: `${keysOf(detail.keys.length)} downloaded`,
          text: 'Kept here encrypted, and readable offline.',
        })
      },
    }),
  )
  const count = order.deliveredUnits
  if (count === 0) return null
  const first = order.firstDownloadedAt == null
  const ask = (): void => {
    void openVault().then(
      (opened) => {
        if (opened) setAsking(true)
      },
      (error: unknown) => toastProblem(problemOf(error)),
    )
  }
  const icon = { size: 16, stroke: 1.6 } as const
  return (
    <div className={styles.ready}>
      <Notice
        tone="info"
        icon={<IconLock {...icon} />}
        title={count === 1 ? '1 key is ready.' : `${count} keys are ready.`}
        action={
          <Button kind="primary" onClick={ask}>
            Download keys…
          </Button>
        }
      >
        {first
          ? 'Not downloaded yet.'
          : `Downloaded elsewhere on ${formatMoment(order.firstDownloadedAt ?? 0, Date.now())}; not kept on this desk.`}
      </Notice>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        account={account}
        title={`Download the ${count === 1 ? 'key' : `${count} keys`} of ${order.externalId}?`}
        lead={
          first
            ? 'This is the first download. The service records it as proof of delivery, and that can’t be taken back.'
            : 'The proof of delivery is recorded already; downloading again changes nothing there.'
        }
        effects={[
          first
            ? {
                icon: <IconCertificate {...icon} />,
                what: 'Proof of delivery is recorded',
                more: `for ${count === 1 ? 'the key' : `all ${count} keys`}, with the time.`,
                tone: 'warn' as const,
              }
            : {
                icon: <IconCertificate {...icon} />,
                what: 'Proof of delivery stays',
                more: 'as it was recorded.',
              },
          {
            icon: <IconClock {...icon} />,
            what: 'The 7 days to claim don’t change.',
            ...(order.completedAt !== null && {
              more: `They run since ${formatMoment(order.completedAt, Date.now())}.`,
            }),
          },
          {
            icon: <IconLock {...icon} />,
            what: 'Keys are kept encrypted here',
            more: 'and shown masked.',
          },
          {
            icon: <IconWallet {...icon} />,
            what: 'No money moves.',
            more: 'The order is already paid.',
          },
        ]}
        confirmLabel={`Download ${keysOf(count)}`}
        cancelLabel="Not now"
        note="Written to Activity"
        onConfirm={async () => {
          await download.mutateAsync({
            accountId: account.id,
            orderId: order.orderId,
            acknowledged: true,
          })
        }}
        failure={download.isError ? <Problem error={download.error} /> : null}
      />
    </div>
  )
}

function Problem({ error }: { error: unknown }) {
  const problem = problemOf(error)
  return (
    <Notice tone="bad" title={problem.what}>
      {problem.effect} {problem.next}
      <ProblemCodes problem={problem} />
    </Notice>
  )
}
