/**
 * One step of a client: sent, written down when acknowledged, and settled after a kill that left it
 * open.
 */
import { NetworkError, ServiceError } from '../../../server/api/client-errors.ts'
import type { World } from './world.ts'

export type Operation = {
  readonly about: string
  /**
   * Sends it and writes the acknowledged answer into the book. Rejects with NetworkError when no
   * answer came.
   */
  send(): Promise<void>
  /**
   * Finds out on the restarted service what became of it, and writes that into the book: wholly
   * there, or wholly not.
   */
  settle(): Promise<void>
}

export type Below = (limit: number) => number
export type MakeOperation = (world: World, below: Below) => Operation | null

/** One that can be asked again as it is: it carries a key, or a name that can be used once. */
export const repeatable = (about: string, send: () => Promise<void>): Operation => ({
  about,
  send,
  settle: send,
})

/** No answer came: the process died, or it was ending and said so. */
function isOpen(error: unknown): boolean {
  return (
    error instanceof NetworkError ||
    (error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE')
  )
}

/** Gives whether an answer came. An answer that should not have come is a finding. */
export async function answered(world: World, operation: Operation): Promise<boolean> {
  try {
    await operation.send()
    world.stepped()
    return true
  } catch (error) {
    if (isOpen(error)) return false
    world.findings.wrong(
      `${operation.about} was answered by ${error instanceof ServiceError ? `${error.status} ${error.code}` : String(error)}`,
    )
    return true
  }
}

export function pick<Item>(items: readonly Item[], below: Below): Item | undefined {
  return items[below(Math.max(items.length, 1))]
}
