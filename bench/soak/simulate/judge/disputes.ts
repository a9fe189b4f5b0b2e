import type { Trial } from './trial.ts'

type There = { id: string; status: string; resolution: string | null }

const resolutions: Readonly<Record<string, string>> = {
  'replace-stock': 'replaced',
  'replace-key': 'replaced',
  refund: 'refunded',
}

/** Each answer is there once, and each dispute is in the state that the console shows. */
export async function judgeDisputes(trial: Trial): Promise<void> {
  const { shop, book, world, note } = trial
  for (const there of world.rows<There>(
    'SELECT id, status, resolution FROM disputes WHERE seller_id = ? ORDER BY no',
    shop,
  )) {
    const messages = world.rows<{ author: string; body: string }>(
      `SELECT author, body FROM dispute_messages
       WHERE dispute_no = (SELECT no FROM disputes WHERE id = ?) ORDER BY no`,
      there.id,
    )
    const asked = book.disputes.filter(({ disputeId }) => disputeId === there.id)
    const mine = messages.filter(({ author }) => author === 'seller').map(({ body }) => body)
    for (const { what, text, done } of asked) {
      const times = mine.filter((body) => body === text).length
      if (times > 1) note({ kind: 'twice', what: `the answer ${text}` })
      if (what === 'answer' && done && times === 0)
        note({ kind: 'lost', what: `the answer ${text}` })
      if (done && what in resolutions && there.resolution !== resolutions[what])
        note({ kind: 'lost', what: `${what} of ${there.id}` })
    }
    if (
      (there.resolution === 'refunded' || there.resolution === 'replaced') &&
      !asked.some(({ what }) => resolutions[what] === there.resolution) &&
      asked.length > 0
    )
      note({ kind: 'wrong', what: `nobody asked to have ${there.id} ${there.resolution}` })
    await compareShown(trial, there, messages)
  }
}

async function compareShown(
  { ask, seller: accountId, note }: Trial,
  there: There,
  messages: readonly { body: string }[],
): Promise<void> {
  const here = await ask.disputes.dispute({ accountId, disputeId: there.id }).catch(() => null)
  if (here === null) return note({ kind: 'lost', what: `the console lacks ${there.id}` })
  const open =
    here.pending.filter(({ state }) => state !== 'refused').length +
    here.actions.filter(({ state }) => state === 'sending' || state === 'unknown').length
  if (open > 0) note({ kind: 'wrong', what: `${there.id} has ${open} unfinished parts` })
  for (const { state, text } of here.pending)
    if (state === 'refused' && messages.some(({ body }) => body === text))
      note({ kind: 'wrong', what: `the console takes the answer ${text} for unsent` })
  if (
    here.status !== there.status ||
    (here.resolution?.type ?? null) !== there.resolution ||
    here.conversation.map(({ body }) => body).join('\n') !==
      messages.map(({ body }) => body).join('\n')
  )
    note({ kind: 'wrong', what: `the console shows another state of ${there.id}` })
}

/** Each claim that the console reported as filed is at the service. */
export function judgeClaims({ book, world, note }: Trial): void {
  for (const [keyId, filed] of book.claims) {
    const [row] = world.rows<{ count: number }>(
      `SELECT count(*) AS count FROM disputes
       JOIN order_units ON order_units.no = disputes.order_unit_no WHERE order_units.id = ?`,
      keyId,
    )
    if (filed && row?.count !== 1) note({ kind: 'lost', what: `the claim for ${keyId}` })
  }
}
