import { createHash } from 'node:crypto'

/** Everything that happened in a simulated day, in its order. */
export interface EventLog {
  add(kind: string, ...facts: readonly unknown[]): void
  /** The hash of all events: two runs of the same day have the same. */
  digest(): string
  count(): number
  /** The last events, as text. */
  last(): readonly string[]
}

const KEPT = 400

/** @param now the simulated time, which is part of each event */
export function createEventLog(
  now: () => number,
  show: (line: string) => void = () => {},
): EventLog {
  const hash = createHash('sha256')
  const kept: string[] = []
  let count = 0
  return {
    add(kind, ...facts) {
      const line = `${now()} ${kind} ${facts.map((fact) => JSON.stringify(fact)).join(' ')}`
      hash.update(line).update('\n')
      count += 1
      kept.push(line)
      if (kept.length > KEPT) kept.shift()
      show(line)
    },
    digest: () => hash.copy().digest('hex'),
    count: () => count,
    last: () => kept,
  }
}

export const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12)
