/**
 * One step of a client: sent, recorded when acknowledged, and settled after a kill that left it
 * open.
 */
import { NetworkError, ServiceError } from '../../../server/api/client/client-errors.ts'
import type { World } from './world.ts'

export type Operation = {
  readonly about: string
  /**
   * Sends it and writes the acknowledged response into the book. Rejects with NetworkError when no
   * response came.
   */
  send(): Promise<void>
  /**
   * Determines its result on the restarted service and writes it into the book: completely done, or
   * not at all.
   */
  settle(): Promise<void>
  /** Replaces the state, accounts included, so it is settled before an account is used. */
  readonly replacesState?: true
}

export type Below = (limit: number) => number
export type MakeOperation = (world: World, below: Below) => Operation | null

/** An operation that can be repeated unchanged: it has a key, or a name that can be used once. */
export const repeatable = (about: string, send: () => Promise<void>): Operation => ({
  about,
  send,
  settle: send,
})

/** No response: the process died, or it reported that it was stopping. */
function isOpen(error: unknown): boolean {
  return (
    error instanceof NetworkError ||
    (error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE')
  )
}

/** Returns whether a response came. An unexpected response is a finding. */
export async function answered(world: World, operation: Operation): Promise<boolean> {
  try {
    await operation.send()
    world.stepped()
    return true
  } catch (error) {
    if (isOpen(error)) return false
    world.findings.wrong(
      `${operation.about} got the response ` +
        `${error instanceof ServiceError ? `${error.status} ${error.code}` : String(error)}`,
    )
    return true
  }
}

export function pick<Item>(items: readonly Item[], below: Below): Item | undefined {
  return items[below(Math.max(items.length, 1))]
}
