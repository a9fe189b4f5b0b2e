import { t } from '../../../../contract/localization/localized.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconCertificate, IconClock, IconLock, IconWallet } from '@tabler/icons-react'
import { useState } from 'react'
import type { OrderDetail } from '../../../../contract/order-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { useSendingBlock } from '../../../lib/account/sending-block.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatMoment } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import styles from '../orders.module.css'
import { useAccountNow } from '../../../lib/account/account-time.tsx'

const keyCount = (count: number): string => t('counts.keys', { count })

/**
 * Keys ready on the service. The first download is the service's proof of delivery, so it needs
 * confirmation that explains all its effects.
 */
export function DownloadKeys({ order }: { order: OrderDetail }) {
  const account = useAccount()
  const client = useQueryClient()
  const now = useAccountNow()
  const [asking, setAsking] = useState(false)
  const blocked = useSendingBlock()
  const download = useMutation(
    api.orders.downloadKeys.mutationOptions({
      onSuccess: (detail) => {
        client.setQueryData(
          api.orders.order.queryKey({ input: { accountId: account.id, orderId: order.orderId } }),
          detail,
        )
        toast({
          title: `${keyCount(detail.keys.length)} downloaded`,
          text: 'Saved encrypted on this computer, for offline use too.',
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
      (error: unknown) => toastProblem(problemOf(error), null),
    )
  }
  const icon = { size: 16, stroke: 1.6 } as const
  return (
    <div className={styles.ready}>
      <Notice
        tone="info"
        icon={<IconLock {...icon} />}
        title={t('screens.orders-keys-ready', { count })}
        action={
          <Button
            kind="primary"
            disabled={blocked !== null}
            title={blocked ?? undefined}
            onClick={ask}
          >
            Download keys…
          </Button>
        }
      >
        {first
          ? 'Not downloaded yet.'
          : `Downloaded elsewhere on ${formatMoment(order.firstDownloadedAt ?? 0, now)}; ` +
            'not stored on this computer.'}
        {blocked === null ? '' : ` ${blocked} You can download the keys when it’s back.`}
      </Notice>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        account={account}
        title={t('screens.orders-download', { count, order: order.externalId })}
        lead={
          first
            ? 'This is the first download. The service records it as proof of delivery, which can’t be undone.'
            : 'The proof of delivery is already recorded. Downloading again doesn’t change it.'
        }
        effects={[
          first
            ? {
                icon: <IconCertificate {...icon} />,
                what: 'Proof of delivery is recorded',
                more: t('screens.orders-proof-for', { count }),
                tone: 'warn' as const,
              }
            : {
                icon: <IconCertificate {...icon} />,
                what: 'Proof of delivery doesn’t change',
                more: 'It’s already recorded.',
              },
          {
            icon: <IconClock {...icon} />,
            what: 'The 7 days to claim don’t change.',
            ...(order.completedAt !== null && {
              more: `They started ${formatMoment(order.completedAt, now)}.`,
            }),
          },
          {
            icon: <IconLock {...icon} />,
            what: 'Keys are saved encrypted on this computer',
            more: 'and shown masked.',
          },
          {
            icon: <IconWallet {...icon} />,
            what: 'No money moves.',
            more: 'The order is already paid.',
          },
        ]}
        confirmLabel={`Download ${keyCount(count)}`}
        cancelLabel="Not now"
        note="Recorded in Activity"
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
  return <ProblemNotice problem={problem} />
}
