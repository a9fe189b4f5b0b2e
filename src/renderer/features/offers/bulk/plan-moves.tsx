import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PlanMove } from '../../../../contract/offers/offer-bulk.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { formatCents } from '../../../ui/format.ts'
import { percentChange } from '../../../ui/percent-change.ts'
import styles from '../parts.module.css'

/** Most differences shown in the notice. */
const MOST_SHOWN = 5

export interface SeenPlan {
  /** The plan that the person decides on; undefined until one is shown. */
  fingerprint: string | undefined
  /** The current plan, if it differs from the one that the person decides on. */
  moved: string | null
  /** Decides on the current plan from now on. */
  accept: () => void
}

/**
 * Holds on to the plan that was shown first for a wish, so that data arriving later never changes
 * silently what a press sends.
 *
 * @param wish Identifies the requested change. Another wish shows another plan.
 * @param current The current plan of that wish; undefined while it is being made.
 */
function useSeenPlan(wish: string, current: string | undefined): SeenPlan {
  const [seen, setSeen] = useState<{ wish: string; fingerprint: string } | null>(null)
  if (current !== undefined && seen?.wish !== wish) setSeen({ wish, fingerprint: current })
  const fingerprint = seen?.wish === wish ? seen.fingerprint : current
  return {
    fingerprint,
    moved: current === undefined || current === fingerprint ? null : current,
    accept: () => {
      if (current !== undefined) setSeen({ wish, fingerprint: current })
    },
  }
}

/** A person's confirmation of a plan, in the form of the request. */
type PlanConfirmation = { fingerprint: string; beyondGuard: boolean; typed: string | null }

/**
 * Everything a person confirms before a plan is sent: the plan as shown, prices that the guard
 * stops, and in LIVE a typed number.
 *
 * @param wish Identifies the requested change.
 */
export function useConfirmedPlan(
  wish: string,
  rows: { list: string; page: { fingerprint: string } | undefined },
  {
    changes,
    overGuard,
    mustType,
  }: {
    /** Number of lines that change something. */
    changes: number
    overGuard: number
    /** Whether the number of changes must be typed. */
    mustType: boolean
  },
) {
  const seen = useSeenPlan(wish, rows.list === wish ? rows.page?.fingerprint : undefined)
  const { fingerprint, moved } = seen
  const [typed, setTyped] = useState('')
  const [sendsBeyond, setSendsBeyond] = useState<string | null>(null)
  const beyondGuard = sendsBeyond === fingerprint
  const answer = typed.trim()
  const isConfirmed =
    changes > 0 &&
    moved === null &&
    (overGuard === 0 || beyondGuard) &&
    (!mustType || answer === String(changes))
  const confirmation: PlanConfirmation | null =
    isConfirmed && fingerprint !== undefined
      ? { fingerprint, beyondGuard, typed: answer === '' ? null : answer }
      : null
  return {
    seen,
    typed,
    setTyped,
    /** Null until the person has confirmed everything. */
    confirmation,
    guard: {
      confirmed: beyondGuard,
      onConfirm: (sends: boolean) => setSendsBeyond(sends ? (fingerprint ?? null) : null),
    },
  }
}

/** What changed in the plan since it was shown. Nothing is sent until the person accepts it. */
export function PlanMoves({ seen, moved }: { seen: SeenPlan; moved: string }) {
  const { id: accountId } = useAccount()
  const { total = null, rows = [] } =
    useQuery(
      api.offers.bulk.moves.queryOptions({
        input: { accountId, seen: seen.fingerprint ?? '', now: moved },
      }),
    ).data ?? {}
  return (
    <Notice
      tone="warn"
      title={
        total === null
          ? 'The plan changed while it was open.'
          : t('screens.offers-plan-moved', { count: total })
      }
      action={<Button onClick={seen.accept}>Use these</Button>}
    >
      Nothing was sent. Check the differences before you confirm.
      <ul className={styles.moves}>
        {rows.slice(0, MOST_SHOWN).map((move) => (
          <li key={move.subjectId}>
            {move.name} <small>{variantLabel(move)}</small> <Difference move={move} />
          </li>
        ))}
      </ul>
      {total !== null && total > MOST_SHOWN
        ? t('screens.offers-plan-moved-more', { count: total - MOST_SHOWN })
        : null}
    </Notice>
  )
}

function Difference({ move: { seen, now } }: { move: PlanMove }) {
  if (now === null) return <b>no longer changes</b>
  const { fromCents, toCents } = now
  if (toCents === null) return <b>{seen === null ? 'changes too' : 'changed'}</b>
  return (
    <>
      {seen?.toCents == null ? (
        'new: '
      ) : (
        <>
          <s>{formatCents(seen.toCents)}</s> →{' '}
        </>
      )}
      <b>{formatCents(toCents)}</b>{' '}
      {fromCents === null ? null : (
        <>
          ({percentChange(fromCents, toCents)} from {formatCents(fromCents)})
        </>
      )}
    </>
  )
}
