import { useQuery } from '@tanstack/react-query'
import { IconShieldCheck } from '@tabler/icons-react'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatCents, formatCount } from '../../../ui/format.ts'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { Mark } from '../../../ui/data-display/identity/mark.tsx'
import { ControlCard } from './control-card.tsx'
import styles from '../sandbox.module.css'

/** The proof of the complete ledger, computed again on request. */
export function LedgerProof() {
  const proof = useQuery({
    ...api.sandbox.money.verifyLedger.queryOptions(),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
  const { data } = proof
  return (
    <ControlCard
      icon={IconShieldCheck}
      title="Ledger"
      beside={
        proof.isError ? (
          <span role="alert">Not verified</span>
        ) : data === undefined ? (
          <span>Verifying…</span>
        ) : (
          <span className={styles.proof} title={`Last entry ${data.headHash}`} role="status">
            <Mark kind={data.ok ? 'ok' : 'bad'} /> {formatCount(data.entries)} entries,{' '}
            {data.ok ? 'chain intact' : 'chain BROKEN'},{' '}
            {data.sums.live === 0 && data.sums.test === 0
              ? 'totals are 0.00 in both modes'
              : `totals are ${formatCents(data.sums.live)} live and ${formatCents(data.sums.test)} test`}
          </span>
        )
      }
      actions={
        <Button kind="quiet" busy={proof.isFetching} onClick={() => void proof.refetch()}>
          Verify
        </Button>
      }
    >
      {proof.isError ? <ProblemNotice problem={problemOf(proof.error)} /> : null}
      <p className={styles.note}>
        Each entry contains the hash of the previous one. Every balance is the total of its entries.
      </p>
    </ControlCard>
  )
}
