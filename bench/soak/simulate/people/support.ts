import { attempt } from '../../sync/day.ts'
import { KEY_MARK } from './person.ts'
import type { Deed, Person } from './person.ts'

const kinds = [
  'answer',
  'answer',
  'answer',
  'reply',
  'replace-stock',
  'replace-key',
  'refund',
] as const

/** Answers or settles a random open dispute. */
async function handleDispute(person: Person): Promise<void> {
  const { ask, seller: accountId, below, book, unique, isAlive } = person
  const { rows } = await ask.disputes.list({ accountId, view: 'inbox' })
  const row = rows[below(Math.max(1, rows.length))]
  if (row === undefined) return
  const { disputeId, status, messages } = row
  const what = kinds[below(kinds.length)] ?? 'answer'
  const text = `${unique('A')} we are looking into it`
  const seen = { status, messages }
  const deed = { disputeId, what, text, done: false }
  book.disputes.push(deed)
  if (what === 'answer') {
    const { sent } = await ask.disputes.answer({ accountId, disputeId, text, seen: messages })
    // A queued answer may find its dispute resolved.
    if (!sent) return
  } else if (what === 'reply')
    await ask.disputes.reply({ accountId, disputeId, text, outcome: 'reply', seen })
  else
    await ask.disputes.act({
      accountId,
      disputeId,
      kind: what,
      seen,
      ...(what === 'replace-key' && { key: `${unique('R')}${KEY_MARK}REPLACEMENT` }),
    })
  if (isAlive()) deed.done = true
}

/** Sends an answer again that the console reports as not sent, as the console suggests. */
async function answerAgain({ ask, seller: accountId, book, isAlive }: Person): Promise<void> {
  const { rows } = await ask.disputes.list({ accountId, view: 'inbox' })
  for (const { disputeId } of rows) {
    const { pending, messages } = await ask.disputes.dispute({ accountId, disputeId })
    const text = pending.find(({ state }) => state === 'refused')?.text
    const deed = book.disputes.find((each) => each.text === text)
    if (deed === undefined) continue
    const { sent } = await ask.disputes.answer({
      accountId,
      disputeId,
      text: deed.text,
      seen: messages,
    })
    if (sent && isAlive()) deed.done = true
    return
  }
}

export const supportDeeds = (person: Person): Record<string, Deed> => ({
  handleDispute: () => attempt(handleDispute(person)),
  handleAnother: () => attempt(handleDispute(person)),
  answerAgain: () => attempt(answerAgain(person)),
})
