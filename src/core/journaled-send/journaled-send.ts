import type { Problem } from '../../contract/base.ts'
import { Failure } from '../failure.ts'

/** What became of a call that moves money, keys, stock or prices. */
export type SendOutcome<Result> =
  /** The service carried it out. */
  | { state: 'done'; result: Result }
  /** The service examined it and did not carry it out. */
  | { state: 'rejected'; problem: Problem }
  /** It wasn't carried out, and nothing is wrong with it: it can be sent again. */
  | { state: 'not-done'; problem: Problem }
  /** Not known yet: look it up before anything else is sent. */
  | { state: 'unknown'; problem: Problem }

export type JournaledSend<Result> = {
  /** Records the call durably. It runs before the first byte leaves. */
  write?(): void
  send(): Promise<Result>
  /**
   * Finds out at the service what became of a call whose response was lost. A Failure leaves the
   * outcome unknown. Leave it out when the same Idempotency-Key can be sent again.
   */
  lookUp?(lost: Failure): Promise<SendOutcome<Result>>
  /** Records the outcome. It runs in every case except a defect, and can run twice: unknown first. */
  settle(outcome: SendOutcome<Result>): void
  /**
   * An earlier try had no response. A repetition that never reached the service says nothing about
   * that one: it stays unknown.
   */
  again?: boolean
}

/**
 * Sends one call by the rule "write, send, settle": its outcome follows the failure's certainty
 * (decision 42), and an unknown outcome is looked up once. Rejects only for a defect, which
 * leaves the journal entry open: the next start looks it up.
 */
export async function sendJournaled<Result>(
  call: JournaledSend<Result>,
): Promise<SendOutcome<Result>> {
  call.write?.()
  const settled = (outcome: SendOutcome<Result>): SendOutcome<Result> => {
    call.settle(outcome)
    return outcome
  }
  try {
    return settled({ state: 'done', result: await call.send() })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const outcome = outcomeOf(error, call.again === true)
    if (outcome.state !== 'unknown' || call.lookUp === undefined) return settled(outcome)
    settled(outcome)
    return lookUp(call.lookUp, error, settled, outcome)
  }
}

function outcomeOf({ problem, certainty }: Failure, again: boolean): SendOutcome<never> {
  if (certainty === 'unknown' || (again && certainty === 'not-done'))
    return { state: 'unknown', problem }
  return { state: certainty, problem }
}

async function lookUp<Result>(
  find: NonNullable<JournaledSend<Result>['lookUp']>,
  lost: Failure,
  settled: (outcome: SendOutcome<Result>) => SendOutcome<Result>,
  unknown: SendOutcome<Result>,
): Promise<SendOutcome<Result>> {
  try {
    return settled(await find(lost))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return unknown
  }
}
