/** Finds the nearest request that passes: changes one thing after another until a branch accepts it. */
import { type Attempt, matched } from './attempt.ts'
import { repairs } from './repairs/repairs.ts'
import type { Trial } from './trial.ts'

/** Requests tried for one refusal at most. */
const MAX_TRIED = 60

export type Found = { readonly attempt: Attempt; readonly status: number; readonly tried: number }

/** A repeated key with a changed body is a conflict, so each changed attempt gets its own key. */
function withOwnKey(attempt: Attempt, tried: number): Attempt {
  const { idempotencyKey } = attempt
  if (idempotencyKey === null) return attempt
  const start = idempotencyKey.replace(/-why\d+$/, '').slice(0, 90)
  return { ...attempt, idempotencyKey: `${start}-why${tried}` }
}

const nameOf = ({ steps, sender, method, path, query, body, tries }: Attempt): string =>
  JSON.stringify([steps, sender, method, path, query, body, tries])

/**
 * Tries `firsts`, then the suggestions of each refusal's repairs, nearest first. A trial on which
 * other steps were sent is replaced by a new one, so the result holds for the present data and its own steps
 * only. Null when nothing passes.
 */
export async function search(
  firsts: readonly Attempt[],
  begun: Trial,
  startTrial: () => Promise<Trial>,
): Promise<Found | null> {
  const seen = new Set<string>()
  const open = firsts.toReversed()
  let trial = begun
  let tried = 0
  try {
    for (let next = open.pop(); next !== undefined && tried < MAX_TRIED; next = open.pop()) {
      if (!trial.fits(next)) {
        trial.end()
        trial = await startTrial()
      }
      const attempt = firsts.includes(next) ? next : withOwnKey(next, tried)
      tried += 1
      const outcome = await trial.run(attempt)
      if (outcome === undefined) continue
      if (outcome.refusal === null) return { attempt, status: outcome.status, tried }
      const at = matched(attempt.method, attempt.path)
      const better = (await repairs({ trial, attempt, at, refusal: outcome.refusal })).filter(
        (each) => !seen.has(nameOf(each)),
      )
      for (const each of better) seen.add(nameOf(each))
      open.push(...better.toReversed())
    }
    return null
  } finally {
    trial.end()
  }
}
