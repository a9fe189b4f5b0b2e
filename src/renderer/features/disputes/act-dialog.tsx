import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconBox, IconCash, IconKey, IconLock, IconMessage, IconReceipt } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import type { Account } from '../../../contract/accounts.ts'
import type { Problem } from '../../../contract/base.ts'
import type {
  DisputeActionKind,
  DisputeDetail,
  DisputeEffects,
  KeyVerdict,
} from '../../../contract/dispute-records.ts'
import { problemOf } from '../../lib/problem.ts'
import { api, rpc } from '../../lib/rpc.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { ConfirmDialog, type Effect } from '../../ui/confirm-dialog.tsx'
import { formatCents, formatCount, formatEur } from '../../ui/format.ts'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'
import styles from './disputes.module.css'
import { findingWords } from './words.ts'

const size = { size: 16, stroke: 1.6 } as const
const keys = (count: number): string => `${formatCount(count)} ${count === 1 ? 'key' : 'keys'}`

/** Effects on stock, money, the sale and the dispute. Each is listed, also if nothing changes. */
function effectsFor(kind: DisputeActionKind, effects: DisputeEffects | undefined): Effect[] {
  const { stock = null, sale = null, balance = null, refundCents = null } = effects ?? {}
  if (kind === 'refund') {
    return [
      {
        icon: <IconCash {...size} />,
        what: 'The customer gets the money back.',
        amount: refundCents === null ? 'amount unknown' : formatEur(refundCents),
        tone: 'bad',
      },
      {
        icon: <IconReceipt {...size} />,
        what: 'The sale is canceled.',
        more:
          sale?.priceCents == null
            ? 'You receive nothing for it.'
            : `You don’t receive ${formatEur(sale.priceCents)}.`,
      },
      balance === null
        ? {
            icon: <IconCash {...size} />,
            what: 'Your balance decreases by the amount of the sale.',
            more: 'The balance hasn’t been read yet.',
          }
        : {
            icon: <IconCash {...size} />,
            what: `${balance.part === 'pending' ? 'Pending' : 'Available'} balance`,
            amount: `${formatCents(balance.beforeCents)} → ${formatCents(balance.afterCents)}`,
            ...(balance.afterCents < 0 ? { tone: 'warn' as const } : {}),
          },
      {
        icon: <IconKey {...size} />,
        what: 'No key is moved.',
        more: 'The customer keeps the sold key; it doesn’t return to stock.',
      },
      {
        icon: <IconMessage {...size} />,
        what: 'The dispute is resolved permanently.',
        more: 'It no longer accepts messages.',
      },
    ]
  }
  return [
    kind === 'replace-key'
      ? {
          icon: <IconKey {...size} />,
          what: 'The key you type is sent to the customer.',
          more: 'Your stock doesn’t change.',
        }
      : {
          icon: <IconBox {...size} />,
          what: 'The oldest key of the offer is sent to the customer.',
          ...(stock === null
            ? { amount: 'stock unknown' }
            : { amount: `${keys(stock.before)} → ${formatCount(stock.after)}` }),
        },
    {
      icon: <IconCash {...size} />,
      what: 'No money moves.',
      more:
        sale?.priceCents == null
          ? 'The sale remains.'
          : `The sale remains: you receive ${formatEur(sale.priceCents)}.`,
    },
    {
      icon: <IconMessage {...size} />,
      what: 'The dispute is resolved permanently.',
      more: 'It no longer accepts messages.',
    },
    {
      icon: <IconLock {...size} />,
      what: 'Keydesk records the action before sending it.',
      more: 'Even if the connection fails, it runs only once.',
    },
  ]
}

const obstacles: Readonly<Record<NonNullable<DisputeEffects['obstacle']>, string>> = {
  resolved: 'The dispute is already resolved.',
  'no-stock': 'The offer has no keys left. Replace with a typed key, or refund.',
  'no-offer':
    'The offer isn’t on this computer, so its stock is unknown. The service rejects the action if there are no keys.',
  'under-way': 'The outcome of an earlier action on this dispute isn’t known yet.',
}

/** Confirms a settlement: lists its effects, and asks for the amount before a refund in LIVE. */
export function ActDialog({
  kind,
  detail,
  account,
  onClose,
  onDone,
}: {
  kind: DisputeActionKind
  detail: DisputeDetail
  account: Account
  onClose: () => void
  onDone: () => void
}) {
  const { accountId, disputeId } = detail
  const [key, setKey] = useState('')
  const [verdict, setVerdict] = useState<KeyVerdict | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  // Keydesk compares the dispute with its state on the screen when the dialog opened.
  const [seen] = useState({ status: detail.status, messages: detail.messages })
  const field = useId()
  const asked = useQuery(
    api.disputes.effects.queryOptions({ input: { accountId, disputeId, kind } }),
  )
  const effects = asked.data
  useEffect(() => {
    if (kind !== 'replace-key' || key.trim() === '') return setVerdict(null)
    let late = false
    const timer = setTimeout(() => {
      void rpc.disputes.checkKey({ accountId, disputeId, key }).then(
        (found) => {
          if (!late) setVerdict(found)
        },
        () => {},
      )
    }, 150)
    return () => {
      late = true
      clearTimeout(timer)
    }
  }, [accountId, disputeId, key, kind])

  async function confirm(): Promise<void> {
    setProblem(null)
    try {
      if (kind === 'replace-key' && !(await openVault()))
        throw new Error('the vault is still locked')
      await rpc.disputes.act({
        accountId,
        disputeId,
        kind,
        seen,
        ...(kind === 'replace-key' ? { key } : {}),
        ...(effects?.typed == null ? {} : { typed: effects.typed }),
      })
      toast({
        title: kind === 'refund' ? 'Refunded' : 'Replaced',
        text:
          kind === 'refund'
            ? `${detail.name}. The sale is canceled.`
            : `${detail.name}. The customer received another key; no money moved.`,
      })
      onDone()
    } catch (error) {
      setProblem(problemOf(error))
      throw error
    }
  }
  // The confirmation text must be known before the dialog takes the focus and before anything can
  // be confirmed.
  if (asked.isPending) return null
  const title =
    kind === 'refund'
      ? `Refund ${detail.name}?`
      : kind === 'replace-key'
        ? 'Replace with a typed key?'
        : 'Replace from stock?'
  const obstacle = effects?.obstacle ?? null
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={confirm}
      account={account}
      title={title}
      lead={kind === 'refund' ? undefined : detail.name}
      effects={effectsFor(kind, effects)}
      destructive={kind === 'refund'}
      confirmLabel={
        kind === 'refund'
          ? `Refund${effects?.refundCents == null ? '' : ` ${formatEur(effects.refundCents)}`}`
          : kind === 'replace-key'
            ? 'Send this key'
            : 'Send a key from stock'
      }
      {...(effects?.typed == null ? {} : { typed: { text: effects.typed, verb: 'refund it' } })}
      failure={
        problem === null ? (
          obstacle === null ? null : (
            <Notice tone="warn" title={obstacles[obstacle]} />
          )
        ) : (
          <Notice tone="bad" title={problem.what}>
            {problem.effect} {problem.next}
          </Notice>
        )
      }
    >
      {kind !== 'replace-key' ? null : (
        <div className={styles.typedKey}>
          <label htmlFor={field}>Key for the customer</label>
          <TextInput
            id={field}
            size="md"
            value={key}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <ul aria-live="polite">
            {verdict?.findings.map((finding) => (
              <li
                key={finding}
                data-blocks={
                  verdict.blocked &&
                  finding !== 'odd-shape' &&
                  finding !== 'cleaned' &&
                  finding !== 'confusable'
                    ? true
                    : undefined
                }
              >
                {findingWords[finding]}
              </li>
            )) ?? null}
            {verdict !== null && verdict.findings.length === 0 ? (
              <li data-ok>New for this product, and its format looks right.</li>
            ) : null}
          </ul>
        </div>
      )}
    </ConfirmDialog>
  )
}
