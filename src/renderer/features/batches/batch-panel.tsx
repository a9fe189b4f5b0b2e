import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { timesCents } from '../../../../server/api/money.ts'
import type { Batch, BatchClaim } from '../../../contract/keys/batches.ts'
import { variantLabel } from '../../lib/labels/product-labels.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { Button, LinkButton } from '../../ui/controls/buttons/button.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Fact, Facts } from '../../ui/data-display/facts.tsx'
import { formatCount, formatDay, formatFullMoment } from '../../ui/format.ts'
import { Money } from '../../ui/data-display/amounts/money.tsx'
import { PanelSection, SidePanel } from '../../ui/layout/page.tsx'
import { BatchForm } from './batch-form.tsx'
import { BatchSquares } from './batch-squares.tsx'
import styles from './batches.module.css'

/** Disputes that are shown without a request for all. */
const FIRST_DISPUTES = 20

/** Details of one batch: the state of its keys, the disputes about them, and the user's notes. */
export function BatchPanel({ batchId, onClose }: { batchId: string; onClose: () => void }) {
  const account = useAccount()
  const [, go] = useLocation()
  const found = useQuery(
    api.batches.batch.queryOptions({ input: { accountId: account.id, batchId } }),
  )
  const batch = found.data
  if (batch === undefined)
    return (
      <SidePanel title="Batch" onClose={onClose}>
        {found.isError ? (
          <ErrorState problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
        ) : null}
      </SidePanel>
    )
  return (
    <SidePanel
      title={batch.name}
      detail={`${batch.offerName} · ${variantLabel(batch)}`}
      onClose={onClose}
    >
      <PanelSection title="Keys" aside={`${formatCount(batch.keys)}, in file order`}>
        <BatchSquares batch={batch} />
      </PanelSection>
      <PanelSection>
        <Facts>
          <Fact label="Uploaded">
            {batch.uploadedAt === null ? '–' : formatFullMoment(batch.uploadedAt)}
          </Fact>
          <Fact label="Files">{batch.files.join(', ')}</Fact>
          <Fact label="For sale">{formatCount(batch.forSale)}</Fact>
          <Fact label="Sold, sent as replacements">
            {formatCount(batch.sold)}, {formatCount(batch.sent)}
          </Fact>
          <Fact label="Disputed" strong>
            {disputedShare(batch)}
          </Fact>
          <Fact label="Replaced, refunded, rejected">
            {formatCount(batch.replaced)}, {formatCount(batch.refunded)},{' '}
            {formatCount(batch.rejected)}
          </Fact>
          {batch.costCents === null ? null : (
            <Fact label="Total batch cost">
              <Money cents={timesCents(batch.costCents, batch.keys)} unit />
            </Fact>
          )}
        </Facts>
      </PanelSection>
      {batch.claims.length === 0 ? null : (
        <BatchDisputes key={batch.batchId} claims={batch.claims} />
      )}
      <PanelSection title="Your notes" aside="private to this computer">
        <BatchForm key={batch.batchId} batch={batch} />
      </PanelSection>
      <PanelSection>
        <div className={styles.actions}>
          <Button onClick={() => go(`/import/${batch.importId}`)}>View import report</Button>
          <Button onClick={() => go(`/offers/${batch.offerId}`)}>View offer</Button>
        </div>
      </PanelSection>
    </SidePanel>
  )
}

/** The disputes about the keys of a batch: the first ones, and all on request. */
function BatchDisputes({ claims }: { claims: readonly BatchClaim[] }) {
  const [, go] = useLocation()
  const [isOpen, setOpen] = useState(false)
  return (
    <PanelSection title="Disputes" aside={formatCount(claims.length)}>
      <table className={styles.claims} aria-label="Disputes">
        <tbody>
          {(isOpen ? claims : claims.slice(0, FIRST_DISPUTES)).map((claim) => (
            <tr key={claim.disputeId}>
              <td>
                <LinkButton onClick={() => go(`/disputes/${claim.disputeId}`)}>
                  {claim.fileName}, line {formatCount(claim.line)}
                </LinkButton>
              </td>
              <td>
                {claim.resolution ?? claim.status}
                {claim.openedAt === null ? '' : `, ${formatDay(claim.openedAt)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isOpen || claims.length <= FIRST_DISPUTES ? null : (
        <LinkButton onClick={() => setOpen(true)}>
          Show all {formatCount(claims.length)} disputes
        </LinkButton>
      )}
    </PanelSection>
  )
}

/** The share of disputed keys among sold keys: 9 of 110 sold, 8.2 %. */
function disputedShare({ claimed, sold }: Pick<Batch, 'claimed' | 'sold'>): string {
  if (sold === 0) return claimed === 0 ? 'none sold yet' : formatCount(claimed)
  return `${formatCount(claimed)} of ${formatCount(sold)} sold, ${((claimed / sold) * 100).toFixed(1)} %`
}
