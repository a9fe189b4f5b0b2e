import type { Trial } from './trial.ts'

/** The last bulk change decides the prices of its offers: the new ones, or, undone, the old ones. */
export async function judgeBulks({ ask, seller, book, world, note }: Trial): Promise<void> {
  const accountId = seller
  const plan = book.bulks.at(-1)
  if (plan === undefined) return
  const bulks = await ask.offers.bulk.list({ accountId })
  const linesOf = async (bulkId: string) =>
    (await ask.offers.bulk.results({ accountId, bulkId, window: { offset: 0, limit: 100 } })).rows
  // A start or an undo that a kill interrupted may have happened or not: its own record says so.
  const changes = bulks.filter(({ kind, undoes }) => kind === 'price' && undoes === null)
  const change = changes[0]
  const isKnown = changes.length === book.bulks.length
  const applied = isKnown && change !== undefined ? await linesOf(change.bulkId) : []
  const undo = bulks.find(({ undoes }) => undoes !== null && undoes === change?.bulkId)
  const restored = undo !== undefined && isKnown ? await linesOf(undo.bulkId) : []
  const isDone = (lines: Awaited<ReturnType<typeof linesOf>>, offerId: string): boolean =>
    lines.some(({ subjectId, state }) => subjectId === offerId && state === 'done')
  const prices = world.pricesOf([...plan.before.keys()])
  for (const [offerId, before] of plan.before) {
    if (book.overwritten.has(offerId)) continue
    const changed = isDone(applied, offerId) && !isDone(restored, offerId)
    const expected = before + (changed ? plan.addedCents : 0)
    const price = prices.get(offerId)
    if (price !== expected)
      note({ kind: 'wrong', what: `${offerId} costs ${price} after a bulk, not ${expected}` })
  }
}
