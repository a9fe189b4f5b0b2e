import type { Book } from '../book.ts'
import type { Ask } from '../console.ts'
import type { SimulatedService } from '../service.ts'
import type { Finding } from '../witness.ts'
import type { World } from '../world.ts'

export type Trial = {
  ask: Ask
  seller: string
  partner: string
  shop: string
  book: Book
  world: World
  service: SimulatedService
  dataDir: string
  pause: (ms: number) => Promise<void>
  note: (finding: Finding) => void
}

/** How long the console has to finish its work on a perfect network, in milliseconds. */
export const FINISH_WITHIN_MS = 1_800_000

/** Waits until a condition holds; notes a finding if it doesn't in time. */
export async function until(
  { pause, note }: Pick<Trial, 'pause' | 'note'>,
  what: string,
  holds: () => Promise<boolean>,
): Promise<void> {
  for (let waited = 0; waited < FINISH_WITHIN_MS; waited += 500) {
    if (await holds()) return
    await pause(500)
  }
  note({ kind: 'wrong', what: `${what} never finishes` })
}
