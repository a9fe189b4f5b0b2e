import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { ClaimDetail } from '../../../contract/claims.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { PanelSection } from '../../ui/layout/page.tsx'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import styles from './claims.module.css'

const outcomes = ['replaced', 'refunded', 'rejected'] as const
const outcomeLabels = { replaced: 'Replaced', refunded: 'Credited', rejected: 'Rejected' } as const

const claimRef = (accountId: string, { claimId }: ClaimDetail) => ({ accountId, claimId })
const toastFailure = ({ name, externalId }: ClaimDetail) => ({
  onError: (error: unknown) => toastProblem(problemOf(error), `${name}, ${externalId}`),
})

/**
 * How to send the claim where Keydesk can't, its result, and in the sandbox the supplier's actions.
 *
 * @param isSaved whether the claim contains what the person typed: before that, its text can't be
 *   copied or marked as sent
 */
export function ClaimOutcome({
  claim,
  isDraft,
  isSaved,
}: {
  claim: ClaimDetail
  isDraft: boolean
  isSaved: boolean
}) {
  if (claim.outcome !== null) return <ClaimResult claim={claim} />
  if (claim.files === 'here')
    return claim.state === 'filed' ? <SupplierActions claim={claim} /> : null
  return <SupportLetter claim={claim} isDraft={isDraft} isSaved={isSaved} />
}

function ClaimResult({ claim }: { claim: ClaimDetail }) {
  const [, go] = useLocation()
  return (
    <PanelSection title="Result">
      {claim.outcome === 'replaced' ? (
        <Notice
          tone="ok"
          title="Replaced."
          action={
            <Button onClick={() => go(`/orders/${claim.orderId}`)}>
              {claim.newKeyId === null ? 'Fetch the new key' : 'Open the new key'}
            </Button>
          }
        >
          {claim.newKeyId === null
            ? 'The new key is ready on the service.'
            : 'The new key is saved on this computer and marked as new. No money moved.'}
        </Notice>
      ) : claim.outcome === 'refunded' ? (
        <Notice tone="ok" title="Credited.">
          The price of the key was credited to your balance.
        </Notice>
      ) : (
        <Notice tone="bad" title="Rejected.">
          Nothing was replaced or credited.
        </Notice>
      )}
    </PanelSection>
  )
}

/** The decisions of the supplier, which a person makes in the sandbox. */
function SupplierActions({ claim }: { claim: ClaimDetail }) {
  const { id: accountId } = useAccount()
  const settle = useMutation(api.claims.settleAsSupplier.mutationOptions(toastFailure(claim)))
  return (
    <PanelSection title="In the sandbox, you’re also the supplier">
      <p className={styles.text}>Settle the claim as its supplier would:</p>
      <div className={styles.links}>
        {outcomes.map((how) => (
          <Button
            key={how}
            kind="sandbox"
            busy={settle.isPending && settle.variables.how === how}
            onClick={() => settle.mutate({ ...claimRef(accountId, claim), how })}
          >
            {how === 'replaced'
              ? 'Send a new key'
              : how === 'refunded'
                ? 'Credit the price'
                : 'Reject the claim'}
          </Button>
        ))}
      </div>
    </PanelSection>
  )
}

/** The text for the service's support, and the buttons that record its result. */
function SupportLetter({
  claim,
  isDraft,
  isSaved,
}: {
  claim: ClaimDetail
  isDraft: boolean
  isSaved: boolean
}) {
  const { id: accountId } = useAccount()
  const mark = useMutation(api.claims.recordByHand.mutationOptions(toastFailure(claim)))
  const copy = (): void =>
    void navigator.clipboard.writeText(claim.letter).then(() =>
      toast({
        kind: 'copy',
        title: 'Claim text copied',
        text: 'It contains the order id and the problem, never the key.',
      }),
    )
  return (
    <PanelSection title="Send it to the service’s support">
      <p className={styles.text}>
        The API doesn’t accept claims. Send this text and the screenshot to support, then record the
        result here.
      </p>
      <pre className={styles.letter}>{claim.letter}</pre>
      <div className={styles.links}>
        <Button disabled={!isSaved} onClick={copy}>
          Copy text
        </Button>
        {isDraft ? (
          <Button
            kind="primary"
            disabled={!isSaved}
            onClick={() => mark.mutate({ ...claimRef(accountId, claim), told: true })}
          >
            Mark as sent
          </Button>
        ) : (
          outcomes.map((outcome) => (
            <Button
              key={outcome}
              onClick={() => mark.mutate({ ...claimRef(accountId, claim), outcome })}
            >
              {outcomeLabels[outcome]}
            </Button>
          ))
        )}
      </div>
    </PanelSection>
  )
}
