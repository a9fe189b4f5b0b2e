import { type Cents, ZERO } from '../../../../server/api/money.ts'
import type { Bulk, BulkKind } from '../../../contract/offers/offer-bulk.ts'
import { isFresh, pause } from '../../clock.ts'
import { Failure, failure, isFailure } from '../../failure.ts'
import { outcomeUnknown } from '../changes/change-offer.ts'
import type { OfferSession } from '../changes/offer-session.ts'
import type { OffersContext } from '../context.ts'
import { readOffer } from '../list/offer-rows.ts'
import { stillUnknown } from '../../journaled-send/journaled-send.ts'
import type { OfferStatus } from '../store.ts'
import { createLineSender, MAX_AGE_MS, storeOutcome } from './sending.ts'
import type { Outcome } from './sending.ts'
import type { BulkStore, StoredBulk, StoredLine } from './store.ts'

/** Lines in flight at the same time. Keys are withdrawn from one offer at a time. */
const MAX_IN_FLIGHT: Readonly<Record<BulkKind, number>> = {
  price: 8,
  status: 8,
  create: 4,
  withdraw: 1,
  close: 1,
}
/** For services without a rate limit: there, writing the journal takes most of the time. */
const MAX_IN_FLIGHT_UNLIMITED: Readonly<Record<BulkKind, number>> = {
  ...MAX_IN_FLIGHT,
  price: 16,
  status: 16,
}
/** Maximum attempts for a line whose responses are lost. */
const MAX_ATTEMPTS = 4
const RETRY_DELAY_MS = 5000
/** If more lines than this are left, the list is read again instead of each offer. */
const RELIST_ABOVE = 20

/** No request has this effect: all of them are waited for. */
const ANY_EFFECT = ''

export type LineActions = {
  /** Runs the calls for one offer one after the other. */
  inTurn: <T>(offerId: string, task: () => Promise<T>) => Promise<T>
  /** Announces a price that is about to be sent. */
  announcePrice: (offerId: string, priceCents: Cents | null) => void
  /** Reads the list of offers. Resolves with whether that succeeded. */
  refreshList: () => Promise<boolean>
  /** Creates an offer for a product. */
  create: (productId: string, priceCents: Cents, status: OfferStatus) => Promise<unknown>
  /**
   * Withdraws all keys of an offer into the vault. The same id resumes an unfinished withdrawal.
   */
  withdraw: (withdrawalId: string, offerId: string) => Promise<unknown>
  remove: (offerId: string) => Promise<unknown>
}

type Parts = {
  context: OffersContext
  session: OfferSession
  store: BulkStore
  work: LineActions
  signal: AbortSignal
  told: (bulk: StoredBulk, ended: boolean, waits: boolean) => void
}

/**
 * Finds the outcome of a line that nothing sends again. Called in the offer's turn, but only when
 * none of its requests can arrive: other changes of the offer don't wait in the turn until then.
 */
type LastLook = () => Promise<Outcome>

/** Runs the bulk changes of one account, oldest first, until none is left or `signal` aborts. */
export function createRunner({ context, session, store, work, signal, told }: Parts) {
  const sender = createLineSender(context, session, signal)
  const now = (): number => context.clock.now()
  const atOnce = (kind: BulkKind): number =>
    (context.connection(session.accountId).state().budget.limit === null
      ? MAX_IN_FLIGHT_UNLIMITED
      : MAX_IN_FLIGHT
    )[kind]

  /**
   * Finds the outcome of a line that was in flight when Keydesk stopped or the response was lost.
   * If that fails, too, the outcome stays unknown.
   */
  const look = (kind: BulkKind, line: StoredLine): Promise<Outcome> =>
    readOutcome(kind, line).catch(keepUnknown)
  async function readOutcome(kind: BulkKind, line: StoredLine): Promise<Outcome> {
    if (kind === 'price' || kind === 'status') return sender.look(line)
    if (kind !== 'create') return { state: 'waiting', problem: null, offer: null }
    if (!(await work.refreshList()))
      throw outcomeUnknown('It isn’t known yet whether the offer was created.')
    const known = offerOf(line.subjectId)
    if (known === undefined) return { state: 'waiting', problem: null, offer: null }
    return known === line.after.priceCents
      ? { state: 'done', problem: null, offer: null }
      : { state: 'refused', problem: alreadyOffered(), offer: null }
  }
  const offerOf = (productId: string): number | undefined =>
    session.store.db
      .prepare('SELECT price_cents FROM offers WHERE product_id = :productId')
      .pluck()
      .get({ productId }) as number | undefined

  const isRunning = ({ bulkId }: StoredBulk): boolean => store.find(bulkId)?.state === 'running'
  /** The id of the subject of a line, for its turn and for flights. */
  const idOf = (kind: BulkKind, { subjectId }: StoredLine): string =>
    kind === 'create' ? `product ${subjectId}` : subjectId

  async function send(bulk: StoredBulk, line: StoredLine): Promise<Outcome | LastLook> {
    const sent = await sendOnce(bulk, line)
    const canArrive = sent.state === 'refused' && session.flights.isFlying(idOf(bulk.kind, line))
    return sent.state === 'waiting' || canArrive ? sendAgain(bulk, line, sent) : sent
  }

  /**
   * Finds the outcome of a line that an earlier run left in flight, and sends it again if it can be.
   */
  async function resume(bulk: StoredBulk, line: StoredLine): Promise<Outcome | LastLook> {
    // Asked before reading: a request that landed during the reading can be missing in it.
    const isFlying = session.flights.isFlying(idOf(bulk.kind, line))
    const found = await look(bulk.kind, line)
    return found.state === 'done' || !isFlying ? found : sendAgain(bulk, line, found)
  }

  /**
   * Sends a line again whose request can still arrive: with the same values, this needs no wait.
   * If it isn't sent again, it stays in flight until it can't arrive any more; then the returned
   * function finds its outcome.
   *
   * @param lost the outcome that was read after the response was lost
   */
  async function sendAgain(
    bulk: StoredBulk,
    line: StoredLine,
    lost: Outcome,
  ): Promise<Outcome | LastLook> {
    let sent = lost
    let tries = 1
    for (; tries < MAX_ATTEMPTS && sent.state === 'waiting' && isRunning(bulk); tries += 1)
      sent = await sendOnce(bulk, line).catch(keepUnknown)
    if (sent.state === 'done') return sent
    return async () => {
      const found = await look(bulk.kind, line)
      if (found.state !== 'waiting') return found
      if (sent.state === 'refused') return sent
      return tries === MAX_ATTEMPTS && sent.problem !== null && isRunning(bulk)
        ? { ...found, state: 'refused', problem: sent.problem }
        : found
    }
  }

  async function sendOnce({ kind, bulkId }: StoredBulk, line: StoredLine): Promise<Outcome> {
    if (kind === 'price' || kind === 'status') return sender.send(line)
    try {
      if (kind === 'create') {
        if (offerOf(line.subjectId) !== undefined)
          return { state: 'refused', problem: alreadyOffered(), offer: null }
        await work.create(
          line.subjectId,
          line.after.priceCents ?? ZERO,
          line.after.status === 'paused' ? 'paused' : 'active',
        )
      } else {
        const offer = readOffer(session.store.db, line.subjectId)
        if (offer !== undefined && offer.stock > 0)
          await work.withdraw(`${bulkId}-${line.line}`, line.subjectId)
        if (kind === 'close') await work.remove(line.subjectId)
      }
      return { state: 'done', problem: null, offer: null }
    } catch (error) {
      if (!(error instanceof Failure) || signal.aborted || error.retry === 'wait') throw error
      const { problem, certainty } = error
      if (certainty !== 'unknown') return { state: 'refused', problem, offer: null }
      const found = await look(kind, line)
      return found.state === 'waiting' ? { ...found, problem } : found
    }
  }

  function settle(line: StoredLine, outcome: Outcome): void {
    storeOutcome(context, session, line, outcome)
    store.settle(line, outcome.state, outcome.state === 'refused' ? outcome.problem : null, now())
  }
  const settleAll = (settled: readonly { line: StoredLine; outcome: Outcome }[]): void => {
    store.transaction(() => {
      for (const { line, outcome } of settled) settle(line, outcome)
    })
  }

  /**
   * Runs a task for several lines in parallel and settles those that returned. Throws the first
   * failure of the others, which stay in flight.
   */
  async function together(
    kind: BulkKind,
    lines: readonly StoredLine[],
    each: (line: StoredLine) => Promise<Outcome | LastLook>,
  ): Promise<void> {
    // Withdrawing keys and removing an offer wait for the offer's turn themselves.
    const inTurn = <T>(line: StoredLine, task: () => Promise<T>): Promise<T> =>
      kind === 'withdraw' || kind === 'close' ? task() : work.inTurn(idOf(kind, line), task)
    const turn = async (line: StoredLine): Promise<Outcome> => {
      const result = await inTurn(line, () => each(line))
      if (typeof result !== 'function') return result
      await session.flights.landed(idOf(kind, line), ANY_EFFECT, signal)
      signal.throwIfAborted()
      return inTurn(line, result)
    }
    const results = await Promise.allSettled(lines.map(turn))
    settleAll(
      results.flatMap((result, index) => {
        const line = lines[index]
        return line === undefined || result.status === 'rejected'
          ? []
          : [{ line, outcome: result.value }]
      }),
    )
    for (const [index, result] of results.entries()) {
      const line = lines[index]
      if (result.status === 'fulfilled' || line === undefined) continue
      // Any other line stays in flight until its outcome is checked.
      if (isFailure(result.reason) && result.reason.certainty === 'not-done')
        store.settle(line, 'waiting', null, now())
    }
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  async function settleOpen(bulk: StoredBulk): Promise<void> {
    for (;;) {
      const open = store.lines(bulk.number, 'sending', atOnce(bulk.kind))
      if (open.length === 0) return
      await together(bulk.kind, open, (line) => resume(bulk, line))
    }
  }

  async function refresh(bulk: StoredBulk, lines: readonly StoredLine[]): Promise<void> {
    if (bulk.kind !== 'price' && bulk.kind !== 'status') return
    const isOld = lines.some(
      (line) =>
        !isFresh(context.clock, session.store.find(line.subjectId)?.seen_at ?? now(), MAX_AGE_MS),
    )
    if (isOld && store.counts(bulk.number).waiting > RELIST_ABOVE) await work.refreshList()
  }

  async function runOne(bulk: StoredBulk): Promise<void> {
    const next = (): StoredLine[] => store.lines(bulk.number, 'waiting', atOnce(bulk.kind))
    await settleOpen(bulk)
    while (isRunning(bulk)) {
      signal.throwIfAborted()
      const queued = next()
      if (queued.length === 0) {
        store.setState(bulk.number, 'done', now())
        return told({ ...bulk, state: 'done', endedAt: now() }, true, false)
      }
      await refresh(bulk, queued)
      // Reading a long list takes minutes, in which the bulk change can be cancelled or paused.
      signal.throwIfAborted()
      if (!isRunning(bulk)) break
      const lines = next()
      // The announcement is written in the same transaction: one wait for the disk.
      store.transaction(() => {
        store.mark(lines, 'sending')
        if (bulk.kind === 'price')
          for (const line of lines) work.announcePrice(line.subjectId, line.after.priceCents)
      })
      await together(bulk.kind, lines, (line) => send(bulk, line))
      told(bulk, false, false)
    }
    await settleOpen(bulk)
    told(bulk, false, false)
  }

  async function rest(error: unknown): Promise<void> {
    if (isFailure(error, 'VAULT_LOCKED', 'VAULT_UNSET')) {
      for await (const change of context.changes.listen(signal))
        if (change.topic === 'vault') return
      return
    }
    if (isFailure(error, 'OFFLINE', 'KEY_MISSING'))
      return context.connection(session.accountId).ready(signal)
    await pause(context.clock, RETRY_DELAY_MS, signal)
  }

  /** Finds the outcomes of lines whose bulk change no longer runs. */
  async function settleInterrupted(): Promise<void> {
    for (const bulk of store.interrupted())
      await settleOpen(bulk).catch(() => {
        // The next start asks for its outcome; nothing else of it is sent.
      })
  }

  return async function run(): Promise<void> {
    await settleInterrupted()
    for (
      let bulk = store.firstRunning();
      bulk !== undefined && !signal.aborted;
      bulk = store.firstRunning()
    ) {
      told(bulk, false, false)
      try {
        await runOne(bulk)
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof Failure)) context.report('offers bulk', error)
        told(bulk, false, true)
        await rest(error).catch(() => {
          // The account is closing.
        })
        if (isRunning(bulk)) continue
        await settleInterrupted()
        told(bulk, false, false)
      }
    }
  }
}

function keepUnknown(error: unknown): never {
  throw error instanceof Failure ? stillUnknown(error) : error
}

const alreadyOffered = () =>
  failure(
    'OFFERED_ALREADY',
    'You already offer this product at another price.',
    'Change the price of that offer instead.',
    { effect: 'No offer was created.' },
  ).problem

/** A bulk change as the screen shows it. */
export function viewBulk(store: BulkStore, stored: StoredBulk): Bulk {
  const { bulkId, kind, title, undoes, startedAt, endedAt } = stored
  const counts = store.counts(stored.number)
  const canUndo =
    (kind === 'price' || kind === 'status') && stored.state !== 'running' && !store.isUndone(bulkId)
  return {
    bulkId,
    kind,
    title,
    state: stored.state === 'writing' ? 'running' : stored.state,
    counts,
    startedAt,
    endedAt,
    undoes,
    undoable: canUndo && counts.sending === 0 ? counts.done : 0,
  }
}
