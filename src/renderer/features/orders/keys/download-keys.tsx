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
import type { Effect } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatMoment } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { downloadState } from './download-state.ts'
import type { DownloadState } from './download-state.ts'
import styles from '../orders.module.css'
import { useAccountNow } from '../../../lib/account/account-time.tsx'

const icon = { size: 16, stroke: 1.6 } as const
const keyCount = (count: number): string => t('counts.keys', { count })

/** Downloads the keys, and shows them in the order. */
function useDownload({ orderId, keys }: OrderDetail) {
  const { id: accountId } = useAccount()
  const client = useQueryClient()
  return useMutation(
    api.orders.downloadKeys.mutationOptions({
      // The order can be read again before the response arrives.
      onMutate: () => ({ before: keys.length }),
      onSuccess: (detail, _input, { before }) => {
        client.setQueryData(api.orders.order.queryKey({ input: { accountId, orderId } }), detail)
        if (detail.keys.length === before)
          return toast({
            kind: 'waits',
            title: 'No new key yet',
            text: 'The service has no other key for this order. Try again later.',
          })
        toast({
          title: `${keyCount(detail.keys.length - before)} downloaded`,
          text: 'Saved encrypted on this computer, for offline use too.',
        })
      },
    }),
  )
}

/** The notice's text about earlier downloads. */
function earlierText({ keys }: OrderDetail, { before, recordedAt }: DownloadState, now: number) {
  if (before === 'here') return t('screens.orders-keys-here', { count: keys.length })
  return recordedAt === null
    ? 'Not downloaded yet.'
    : `Downloaded elsewhere on ${formatMoment(recordedAt, now)}; not stored on this computer.`
}

/** Everything that a download changes or leaves unchanged. */
const downloadEffects = (order: OrderDetail, isFirst: boolean, now: number): Effect[] => [
  isFirst
    ? {
        icon: <IconCertificate {...icon} />,
        what: 'Proof of delivery is recorded',
        more: t('screens.orders-proof-for', { count: order.deliveredUnits }),
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
]

/**
 * Keys ready on the service. The first download is the service's proof of delivery, so it needs
 * confirmation that explains all its effects.
 */
export function DownloadKeys({
  order,
  replacement = false,
}: {
  order: OrderDetail
  /** Whether only the replacement of a claimed key is missing. */
  replacement?: boolean
}) {
  const account = useAccount()
  const now = useAccountNow()
  const [asking, setAsking] = useState(false)
  const blocked = useSendingBlock()
  const download = useDownload(order)
  const state = downloadState(order)
  const first = state.recordedAt === null
  const ask = (): void => {
    void openVault().then(
      (opened) => {
        if (opened) setAsking(true)
      },
      (error: unknown) => toastProblem(problemOf(error), null),
    )
  }
  useShortcut('D', ask, { enabled: order.deliveredUnits > 0 && blocked === null })
  if (order.deliveredUnits === 0) return null
  return (
    <div className={styles.ready}>
      <Notice
        tone="info"
        icon={<IconLock {...icon} />}
        title={
          replacement
            ? 'A claimed key was replaced.'
            : t('screens.orders-keys-ready', { count: state.missing })
        }
        action={
          <Button
            kind="primary"
            keys={['D']}
            disabled={blocked !== null}
            title={blocked ?? undefined}
            onClick={ask}
          >
            {replacement ? 'Fetch the new key…' : 'Download keys…'}
          </Button>
        }
      >
        {replacement
          ? 'The new key isn’t stored on this computer yet.'
          : earlierText(order, state, now)}
        {blocked === null ? '' : ` ${blocked} You can download the keys when it’s back.`}
      </Notice>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        account={account}
        title={
          replacement
            ? `Fetch the new key of ${order.externalId}?`
            : t('screens.orders-download', { count: state.missing, order: order.externalId })
        }
        lead={
          first
            ? 'This is the first download. The service records it as proof of delivery, which can’t be undone.'
            : 'The proof of delivery is already recorded. Downloading again doesn’t change it.'
        }
        effects={downloadEffects(order, first, now)}
        confirmLabel={replacement ? 'Fetch the new key' : `Download ${keyCount(state.missing)}`}
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
