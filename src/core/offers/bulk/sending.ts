import type { Problem } from '../../../contract/base.ts'
import { cents, formatEuros } from '../../../../server/api/money.ts'
import { isFresh } from '../../clock.ts'
import { failure, isFailure } from '../../failure.ts'
import { sendJournaled, stillUnknown } from '../../journaled-send/journaled-send.ts'
import type { OfferSession, DesiredOffer } from '../changes/offer-session.ts'
import { effectOf, matchesDesired, otherChangesLanded, patchOffer } from '../changes/patch-offer.ts'
import type { OffersContext } from '../context.ts'
import type { ServiceOffer } from '../sync/facts.ts'
import { readOffer } from '../list/offer-rows.ts'
import { storeOffers } from '../sync/poll.ts'
import type { OfferStatus } from '../store.ts'
import type { BulkStore, StoredLine } from './store.ts'

/** Maximum age of mirrored data on which a change is based, in milliseconds. */
export const MAX_AGE_MS = 120_000

/**
 * The outcome of a line. `waiting`: certainly not done, so it is sent again. `offer`: the service's
 * latest state of the offer; `gone`: the service no longer has it.
 */
export type Outcome = {
  state: 'done' | 'refused' | 'waiting'
  problem: Problem | null
  offer: ServiceOffer | 'gone' | null
}

const done = (offer: Outcome['offer'] = null): Outcome => ({ state: 'done', problem: null, offer })
const rejected = (problem: Problem, offer: Outcome['offer'] = null): Outcome => ({
  state: 'refused',
  problem,
  offer,
})

const offerGone = (): Outcome =>
  rejected(
    failure(
      'NOT_FOUND',
      'The service no longer has this offer.',
      'Create a new offer from the catalogue.',
      { effect: 'Nothing was changed.' },
    ).problem,
    'gone',
  )

const wantedOf = ({ before, after }: StoredLine): DesiredOffer => ({
  priceCents: after.priceCents === before.priceCents ? null : after.priceCents,
  status:
    after.status === before.status || (after.status !== 'active' && after.status !== 'paused')
      ? null
      : (after.status satisfies OfferStatus),
})

/** Changes and new offers that an earlier run may have sent, as {@link sendNoted} names them. */
export const unsettledLines = (store: BulkStore): { id: string; wanted: DesiredOffer }[] =>
  store.inFlight().map(({ kind, line }) =>
    kind === 'create'
      ? {
          id: `product ${line.subjectId}`,
          wanted: {
            priceCents: line.after.priceCents,
            status: line.after.status === 'paused' ? 'paused' : 'active',
          },
        }
      : { id: line.subjectId, wanted: wantedOf(line) },
  )

type Facts = { price: number; status: string }
/**
 * The part of an offer that a change is based on: a different price or status means that it changed
 * since, elsewhere or by a change of this console whose response was lost.
 */
const isUnchanged = (offer: Facts, { before }: StoredLine, wanted: DesiredOffer): boolean =>
  (wanted.priceCents === null || offer.price === before.priceCents) &&
  (wanted.status === null || offer.status === before.status)

function changedMeanwhile(offer: Facts, wanted: DesiredOffer): Problem {
  const now =
    wanted.priceCents === null
      ? `it is ${offer.status}`
      : `its price is EUR ${formatEuros(cents(offer.price))}`
  return failure(
    'CHANGED_MEANWHILE',
    `This offer changed in the meantime: ${now} now.`,
    'Check the offer, then try again if you still want to change it.',
    { effect: 'Nothing was overwritten.' },
  ).problem
}

/** Sends price and status changes of single offers. Their lines are the journal. */
export function createLineSender(
  context: OffersContext,
  session: OfferSession,
  signal: AbortSignal,
) {
  const service = context.connection(session.accountId)
  const read = (offerId: string): Promise<ServiceOffer> =>
    service.call('getOffer', { params: { id: offerId } }, { priority: 'watch', signal })

  /**
   * Finds the outcome of a line whose response is missing. Throws if the service doesn't report it
   * either.
   */
  async function look(line: StoredLine): Promise<Outcome> {
    try {
      const offer = await read(line.subjectId)
      const wanted = wantedOf(line)
      if (matchesDesired(offer, wanted)) {
        session.flights.arrived(line.subjectId, effectOf(wanted))
        return done(offer)
      }
      return isUnchanged(offer, line, wanted)
        ? { state: 'waiting', problem: null, offer }
        : rejected(changedMeanwhile(offer, wanted), offer)
    } catch (error) {
      if (isFailure(error, 'NOT_FOUND')) return offerGone()
      throw error
    }
  }

  /** The current offer, from the mirror while that is fresh. */
  async function present(
    line: StoredLine,
  ): Promise<{ facts: Facts; offer: ServiceOffer | null } | null> {
    const row = readOffer(session.store.db, line.subjectId)
    if (row === undefined) return null
    if (isFresh(context.clock, row.seenAt, MAX_AGE_MS))
      return { facts: { price: row.priceCents, status: row.status }, offer: null }
    const offer = await read(line.subjectId)
    return { facts: offer, offer }
  }

  /**
   * Checks that the offer is still in the state that the person saw, and sends the change once. If
   * the response is lost, reading the offer settles it. Throws a Failure if the line can't be
   * settled; its certainty says whether the change may have been sent.
   */
  async function send(line: StoredLine): Promise<Outcome> {
    // The runner journals and settles several lines in one transaction.
    const sent = await sendJournaled<Outcome>({
      send: () => checkAndSend(line),
      async lookUp(lost) {
        if (signal.aborted) throw lost
        const found = await look(line)
        return {
          state: 'done',
          result: found.state === 'waiting' ? { ...found, problem: lost.problem } : found,
        }
      },
    })
    if (sent.state === 'done') return sent.result
    const { failure: failed, lookUpFailure = failed } = sent
    if (signal.aborted) throw failed
    if (failed.problem.code === 'NOT_FOUND') return offerGone()
    if (failed.retry === 'never') return rejected(failed.problem)
    throw sent.state === 'unknown' ? stillUnknown(lookUpFailure) : failed
  }

  async function checkAndSend(line: StoredLine): Promise<Outcome> {
    const wanted = wantedOf(line)
    await otherChangesLanded(context, session, line.subjectId, wanted)
    const now = await present(line)
    if (now === null) return offerGone()
    if (matchesDesired(now.facts, wanted)) return done(now.offer)
    if (!isUnchanged(now.facts, line, wanted))
      return rejected(changedMeanwhile(now.facts, wanted), now.offer)
    signal.throwIfAborted()
    session.fresh.touch(line.subjectId)
    // Never aborted once it is in flight: a check right afterwards would find the old state and
    // send the change again.
    return done(await patchOffer(context, session, line.subjectId, wanted, { priority: 'watch' }))
  }
  return { send, look }
}

/**
 * Copies the result of a line into the mirror. Call inside the transaction that settles the line.
 */
export function storeOutcome(
  context: OffersContext,
  session: OfferSession,
  line: StoredLine,
  { offer }: Outcome,
): void {
  const { store, fresh } = session
  if (offer === null) return
  fresh.touch(line.subjectId)
  if (offer === 'gone') store.drop(line.subjectId)
  else storeOffers({ store, fresh }, [offer], store.sync().round, null)
}
