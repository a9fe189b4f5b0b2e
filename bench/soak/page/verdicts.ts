import { isUndo } from './watch.ts'
import type { Sent, View } from './watch.ts'

/** What a person reads about a record: its name, and its ID where the page shows it. */
export type Names = ReadonlyMap<string, string>

/** `seen`: every record of the call was visible as the target. `undo`: Ctrl+Z or its button. */
export type Verdict = 'seen' | 'undo' | 'unseen'

type Input = Record<string, unknown>
const text = (value: unknown): string[] => (typeof value === 'string' ? [value] : [])
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap(text) : [])
/** A text of each object in a list. */
const parts = (value: unknown, name: string): string[] =>
  Array.isArray(value) ? value.flatMap((each: Input) => text(each[name])) : []

/**
 * The calls that change something outside of the page, with the records that they change. Every
 * other call reads, or changes only how the page looks.
 */
const targets: Readonly<Record<string, (input: Input) => string[]>> = {
  'offers/create': ({ productId }) => text(productId),
  'offers/change': ({ offerId }) => text(offerId),
  'offers/remove': ({ offerId }) => text(offerId),
  'offers/setTerms': ({ offerIds }) => texts(offerIds),
  'offers/withdrawals/withdraw': ({ offerId }) => text(offerId),
  'priceWatch/approve': ({ offers }) => parts(offers, 'offerId'),
  'priceWatch/reject': ({ offerIds }) => texts(offerIds),
  'priceWatch/undoReject': ({ before }) => parts(before, 'offerId'),
  'priceWatch/hold': ({ offerIds }) => texts(offerIds),
  'priceWatch/undoHold': ({ before }) => parts(before, 'offerId'),
  'priceWatch/release': ({ offerIds }) => texts(offerIds),
  'disputes/mark': ({ disputeId }) => text(disputeId),
  'disputes/answer': ({ disputeId }) => text(disputeId),
  'disputes/act': ({ disputeId }) => text(disputeId),
  'outbox/send': ({ entryIds }) => texts(entryIds),
  'outbox/discard': ({ entryIds }) => texts(entryIds),
  'outbox/restore': ({ entryIds }) => texts(entryIds),
  'batches/change': ({ batchId }) => text(batchId),
  'orders/place': ({ lines }) => parts(lines, 'productId'),
  'orders/markHandedOver': ({ keys }) => parts(keys, 'keyId'),
  'claims/file': ({ claimId }) => text(claimId),
  'claims/discard': ({ claimId }) => text(claimId),
}

/** The paths of the calls that change records, so that {@link judge} has a verdict about them. */
export const changePaths = Object.keys(targets)

/** The records that a call changes. */
export const recordsOf = ({ path, input }: Sent): string[] =>
  targets[path]?.((input ?? {}) as Input) ?? []

/** Whether a record was the target that a person saw at an event. */
function isSeen(id: string, view: View, names: Names): boolean {
  const name = names.get(id)
  const names_ = (shown: string): boolean =>
    shown.includes(id) || (name !== undefined && shown.includes(name))
  if (view.dialog !== null) return names_(view.dialog)
  if (view.pointed === id) return true
  // A press elsewhere takes the focus from a field, which saves its value.
  if (view.event.startsWith('pointerdown') && view.edited !== null && names_(view.edited))
    return true
  if (view.event.startsWith('keydown') || view.pointed === null) {
    if (view.hash.includes(id)) return true
    if (view.panel !== null) return names_(view.panel) && (view.current ?? id) === id
  }
  return view.current === id
}

/** Whether the records are exactly the rows with a check mark, which bulk actions change. */
const areChecked = (ids: readonly string[], { checked, dialog }: View): boolean =>
  dialog === null && ids.length === checked.length && ids.every((id) => checked.includes(id))

/** A field that loses the focus saves its value within this many events. */
const laterBy = 4
/** More than an undo needs on a busy machine, in milliseconds. */
const undoTakesMs = 3000

/**
 * Whether everything that a call changes was visible as the target of the event that sent it.
 *
 * @param sent a call to one of the {@link changePaths}
 */
export function judge(sent: Sent, names: Names): Verdict {
  const { view, before, sinceUndoMs } = sent
  const ids = recordsOf(sent)
  if (view === null) {
    // An undo reads the record before it changes it, so its change is sent a little later.
    if (sinceUndoMs !== null && sinceUndoMs < undoTakesMs) return 'undo'
    // A bulk action reads the rows that were checked when it was requested before it sends them.
    return before.some((each) => areChecked(ids, each)) ||
      before.slice(-laterBy).some((each) => ids.every((id) => isSeen(id, each, names)))
      ? 'seen'
      : 'unseen'
  }
  if (isUndo.test(view.event)) return 'undo'
  if (areChecked(ids, view)) return 'seen'
  if (ids.length > 1 && view.dialog === null && !sent.path.startsWith('orders/place'))
    return ids.every((id) => view.checked.includes(id)) ? 'seen' : 'unseen'
  return ids.every((id) => isSeen(id, view, names)) ? 'seen' : 'unseen'
}
