import type { Bulk, BulkKind } from '../../../../contract/offers/offer-bulk.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { askToUndoBulk } from './undo-bulk-dialog.tsx'

/** Why a kind of bulk change can't be undone; null if it can. */
const finalReasons: Readonly<Record<BulkKind, string | null>> = {
  price: null,
  status: null,
  withdraw: 'Can’t be undone: the keys left the service',
  close: 'Can’t be undone: the offers were removed',
  create: 'Can’t be undone: close the new offers instead',
}

/**
 * Asks whether to reverse a bulk change, or, if it was reversed since, its last reversal. Resolves to
 * whether the reversal has started.
 */
async function reverseBulk(accountId: string, bulkId: string): Promise<boolean> {
  const bulks = await rpc.offers.bulk.list({ accountId })
  const reversalOf = (id: string): Bulk | undefined => bulks.find(({ undoes }) => undoes === id)
  let last = bulkId
  for (let next = reversalOf(last); next !== undefined; next = reversalOf(last)) last = next.bulkId
  return askToUndoBulk(last)
}

/** Reports that a bulk change has started. It joins the undo history, with the reason if it is final. */
export function toastBulkStarted(
  accountId: string,
  { bulkId, title, kind }: Bulk,
  action: { label: string; run: () => void },
): void {
  const final = finalReasons[kind]
  const reverse = (): Promise<boolean> => reverseBulk(accountId, bulkId)
  toast({
    id: `bulk-${bulkId}`,
    kind: 'waits',
    title: `${title}: started`,
    text: 'It continues in the background, also after a restart. Each line is sent once.',
    ...(final === null ? { undo: reverse, redo: reverse } : { final }),
    action,
  })
}
