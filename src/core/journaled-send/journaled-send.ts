import { DAY_MS } from '../../../server/api/time.ts'
import { Failure } from '../failure.ts'

export { createFlights, IN_FLIGHT_MS } from './flights.ts'
export type { Flights } from './flights.ts'

/** The service repeats its response to an Idempotency-Key for 24 hours (Decision 17). */
export const IDEMPOTENCY_KEPT_MS = DAY_MS

/** What became of a call that moves money, keys, stock or prices. */
export type SendOutcome<Result> =
  /** The service carried it out. */
  { state: 'done'; result: Result } | Unsuccessful

type Unsuccessful = {
  /**
   * - `rejected`: the service or Keydesk examined the call and did not carry it out.
   * - `not-done`: it wasn't carried out, and nothing is known to be wrong with it.
   * - `unknown`: it may have been carried out. Look it up before anything else is sent.
   */
  state: 'rejected' | 'not-done' | 'unknown'
  failure: Failure
  /** Why the lookup of an unknown outcome failed, if it did. */
  lookUpFailure?: Failure
}

/** An outcome and its source: the call's own response, or a lookup after that was lost. */
export type Settled<Result> = SendOutcome<Result> & { by: 'response' | 'lookup' }

/**
 * Asks the service for the outcome of a call; null if that is still unknown. Throws Failure if the
 * service can't be asked.
 */
type LookUp<Result> = (lost: Failure) => Promise<SendOutcome<Result> | null>

export type JournaledSend<Result> = {
  /**
   * Records the call durably. It runs before the first byte leaves; if it throws, nothing is sent.
   * Leave it out when the caller has recorded the call together with others.
   */
  write?(): void
  send(): Promise<Result>
  /**
   * Runs once if the outcome of the call is unknown. Leave it out when the same Idempotency-Key can
   * be sent again, or when the lookup has to wait.
   */
  lookUp?: LookUp<Result>
  /**
   * Runs once if the response rejects the call, for calls whose effect must not be denied by a
   * response that isn't the service's. Until it returns, the outcome is unknown. Null confirms the
   * rejection; a failure leaves the outcome unknown.
   */
  verify?: LookUp<Result> | undefined
  /**
   * Records the outcome. It runs in every case except a defect: once for the response, and again
   * for the lookup of an unknown outcome or the verification of a rejection. Leave it out when the
   * caller records the returned outcome together with others.
   */
  settle?(outcome: Settled<Result>): void
  /**
   * An earlier try had no response. A repetition that never reached the service says nothing about
   * that one: it stays unknown.
   */
  again?: boolean
}

/**
 * Sends one call by the rule "write, send, settle": its outcome follows the failure's certainty
 * (decision 42), an unknown outcome is looked up once, and a rejection is verified if the call says
 * how. Rejects only for a defect, which leaves the journal entry open: the next start looks it up.
 */
export async function sendJournaled<Result>({
  write,
  send,
  lookUp,
  verify,
  settle,
  again = false,
}: JournaledSend<Result>): Promise<Settled<Result>> {
  const settled = (outcome: SendOutcome<Result>, by: Settled<Result>['by']): Settled<Result> => {
    const known = { ...outcome, by }
    settle?.(known)
    return known
  }
  write?.()
  const response = await outcomeOf(send, again)
  if (response.state === 'rejected' && verify !== undefined)
    return verified(response, verify, settled)
  const outcome = settled(response, 'response')
  if (outcome.state !== 'unknown' || lookUp === undefined) return outcome
  const { failure } = outcome
  const found = await caught(() => lookUp(failure))
  if (found instanceof Failure) return { ...outcome, lookUpFailure: found }
  return found === null ? outcome : settled(found, 'lookup')
}

/** Believes a rejection only once the service has been asked. */
async function verified<Result>(
  rejection: Unsuccessful,
  verify: LookUp<Result>,
  settled: (outcome: SendOutcome<Result>, by: Settled<Result>['by']) => Settled<Result>,
): Promise<Settled<Result>> {
  const { failure } = rejection
  const doubt: Unsuccessful = { state: 'unknown', failure: stillUnknown(failure) }
  const recorded = settled(doubt, 'response')
  const found = await caught(() => verify(failure))
  if (found instanceof Failure) return { ...recorded, ...doubt, lookUpFailure: found }
  return found === null ? settled(rejection, 'response') : settled(found, 'lookup')
}

/** The call's result. Throws the Failure of a call that isn't done. */
export function resultOf<Result>(outcome: SendOutcome<Result>): Result {
  if (outcome.state === 'done') return outcome.result
  throw outcome.failure
}

/** The failure of a call that says nothing about an earlier try of it. */
export const stillUnknown = ({ problem }: Failure): Failure =>
  new Failure(problem, { certainty: 'unknown', retry: 'ask' })

async function outcomeOf<Result>(
  send: () => Promise<Result>,
  again: boolean,
): Promise<SendOutcome<Result>> {
  const result = await caught(send)
  if (!(result instanceof Failure)) return { state: 'done', result }
  if (!again || result.certainty !== 'not-done') return { state: result.certainty, failure: result }
  return { state: 'unknown', failure: stillUnknown(result) }
}

async function caught<Result>(call: () => Promise<Result>): Promise<Result | Failure> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}
