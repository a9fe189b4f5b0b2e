import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import type { HandedMark, KeyRef } from '../../../contract/order-records.ts'
import type { KeyContext } from './delivered-keys.ts'
import { localEntry } from '../../local-entry.ts'

/** Records a change of marks in the activity. No entry contains a key. */
function noteMarks(
  { context, accountId }: KeyContext,
  what: Localized,
  detail: Localized | null,
): void {
  context.activity.add(
    localEntry({
      accountId,
      what,
      detail,
    }),
  )
  context.changes.notify('orders', accountId)
}

/** Marks keys as handed over now; returns the marks that they had before. */
export function markHandedOver(
  access: KeyContext,
  keys: readonly KeyRef[],
  note: string,
): { marked: number; before: HandedMark[] } {
  const handedAt = access.context.clock.now()
  const before = access.store.transaction(() => {
    const known = keys.flatMap((key) => access.keys.handedMark(key) ?? [])
    for (const { orderId, keyId } of known)
      access.keys.setHandedMark({ orderId, keyId, handedAt, handedNote: note })
    return known
  })
  noteMarks(
    access,
    localized('orders.keys-handed-over', { keys: before.length }),
    note === '' ? null : localized('orders.note', { note }),
  )
  return { marked: before.length, before }
}

/** Sets marks as they were before. */
export function restoreHandedOver(access: KeyContext, marks: readonly HandedMark[]): void {
  access.store.transaction(() => {
    for (const mark of marks) access.keys.setHandedMark(mark)
  })
  noteMarks(access, localized('orders.keys-not-handed-over', { keys: marks.length }), null)
}
