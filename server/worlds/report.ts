/** The differences of a replay, for people. */
import type { WorldFile } from '../api/dashboard/worlds.ts'
import type { ReplayedDifference } from './replay.ts'

/** Differences shown for one answer. */
const MAX_LINES = 5

/** A value as JSON; one that is missing has none. */
const written = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value)

/** The values that differ, such as `results/0/price: 12.5 instead of 12.4`. */
function valuesOf(expected: unknown, received: unknown, place = ''): string[] {
  if (JSON.stringify(expected) === JSON.stringify(received)) return []
  if (
    typeof expected !== 'object' ||
    typeof received !== 'object' ||
    expected === null ||
    received === null
  )
    return [`${place.slice(1) || 'body'}: ${written(received)} instead of ${written(expected)}`]
  const [before, after] = [expected, received] as Record<string, unknown>[]
  const names = new Set([...Object.keys(received), ...Object.keys(expected)])
  return [...names].flatMap((name) => valuesOf(before?.[name], after?.[name], `${place}/${name}`))
}

function linesOf({ no, method, path, expected, received }: ReplayedDifference): string[] {
  const values = valuesOf(expected.body, received.body)
  const status =
    received.status === expected.status
      ? `status ${received.status}, another body`
      : `status ${received.status} instead of ${expected.status}`
  return [
    `Request ${no}, ${method} ${path}: ${status}`,
    ...values.slice(0, MAX_LINES).map((line) => `  ${line}`),
    ...(values.length > MAX_LINES ? [`  and ${values.length - MAX_LINES} more`] : []),
    ...(values.length === 0 && received.status === expected.status
      ? ['  in a masked or a large part of the body']
      : []),
  ]
}

/** The report of a replay, in lines, with at most `most` of the differences. */
export function replayReport(
  file: Pick<WorldFile, 'requests'>,
  differences: readonly ReplayedDifference[],
  most = Number.POSITIVE_INFINITY,
): string {
  const all = file.requests.length
  return [
    ...differences.slice(0, most).flatMap(linesOf),
    ...(differences.length > most ? [`And ${differences.length - most} more answers.`] : []),
    `${all - differences.length} of ${all} answers are the same.`,
    '',
  ].join('\n')
}
