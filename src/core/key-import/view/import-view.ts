import type { Import } from '../../../contract/keys/import-records.ts'
import { localized } from '../../../contract/localization/localized.ts'
import { noTotals } from '../draft-store.ts'
import type { FileRow, ImportRow } from '../draft-store.ts'
import type { UploadStore } from '../upload/store/upload-store.ts'
import type { RequestRow } from '../upload/store/upload-read-store.ts'
import { rateLimits } from '../../../../server/api/limits.ts'
import { readProblem } from '../../stored-problem.ts'

const MOST_SQUARES = 600
/**
 * The window in which the service counts uploads, and its limit (Seller API, "Limits"). The rate
 * includes pauses between bursts.
 */
const RATE_WINDOW_MS = 60_000
const UPLOADS_PER_WINDOW = rateLimits.uploads.max
/** Maximum number of steps of an upload's pace; a step has full seconds. */
const MOST_STEPS = 60

// Trusts the JSON because this feature stored it itself.
const parse = <Value>(json: string): Value => JSON.parse(json) as Value

/** Title of an import in lists: its first file and the number of others. */
export function titleOf(files: readonly Pick<FileRow, 'name'>[]): string {
  const [first, ...more] = files
  if (first === undefined) return 'Empty draft'
  return more.length === 0 ? first.name : `${first.name} and ${more.length} more`
}

const letterOf = ({ state, attempts }: Pick<RequestRow, 'state' | 'attempts'>): string => {
  switch (state) {
    case 'settled':
      return attempts > 1 ? 'a' : 's'
    case 'sent':
      return 'f'
    case 'waiting':
      return 'w'
    case 'refused':
      return 'x'
  }
}

/**
 * One letter per request; above 600 requests one letter represents several and shows the least
 * advanced of them.
 */
function squaresOf(marks: readonly Pick<RequestRow, 'state' | 'attempts'>[]): {
  squares: string
  requestsPerSquare: number
} {
  const each = Math.max(1, Math.ceil(marks.length / MOST_SQUARES))
  let squares = ''
  for (let at = 0; at < marks.length; at += each) {
    const letters = new Set(marks.slice(at, at + each).map(letterOf))
    squares += ['f', 'w', 'x', 'a', 's'].find((letter) => letters.has(letter)) ?? 'w'
  }
  return { squares, requestsPerSquare: each }
}

/** Keys per second over the last minute of settled requests. */
function rateOf(recent: readonly { keys: number; at: number }[], now: number): number {
  const first = recent[0]
  if (first === undefined) return 0
  const keys = recent.reduce((sum, each) => sum + each.keys, 0)
  return keys / (Math.max(500, now - first.at) / 1000)
}

/** A longer gap between two responses is a pause, such as for the rate limit. */
const LONGEST_GAP_MS = 2000

/** Milliseconds per request while the upload doesn't pause. */
function requestMs(recent: readonly { at: number }[]): number | null {
  if (recent.length < 2) return null
  const gaps = recent
    .slice(1)
    .map(({ at }, index) => Math.min(LONGEST_GAP_MS, at - (recent[index]?.at ?? at)))
  return gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
}

/**
 * Time left, or null while unknown. The service accepts a number of uploads per sliding minute, so
 * the requests leave in bursts: the first request that doesn't fit waits until the oldest of the
 * last minute is a minute old, and every further burst a minute more.
 *
 * @param recent the requests settled in the last minute, oldest first
 */
export function leftOf(
  rest: { keys: number; requests: number },
  recent: readonly { keys: number; at: number }[],
  now: number,
  isLimited: boolean,
): number | null {
  const each = requestMs(recent)
  const rate = rateOf(recent, now)
  if (rate === 0 || each === null) return null
  if (!isLimited) return Math.round((rest.keys / rate) * 1000)
  const free = Math.max(0, UPLOADS_PER_WINDOW - recent.length)
  const late = Math.max(0, rest.requests - free)
  if (late === 0) return Math.round(rest.requests * each)
  const bursts = Math.ceil(late / UPLOADS_PER_WINDOW)
  const last = late - (bursts - 1) * UPLOADS_PER_WINDOW
  const oldest = recent.at(0)?.at ?? now
  const paused =
    Math.max(free * each, RATE_WINDOW_MS - (now - oldest)) +
    (bursts - 1) * RATE_WINDOW_MS +
    last * each
  return Math.round(Math.max(paused, rest.requests * each))
}

/** The pace of an upload in completed steps: an incomplete step would look like a drop. */
export function paceOf(
  startedAt: number | null,
  until: number,
  settledIn: (from: number, stepMs: number) => readonly { step: number; keys: number }[],
): Import['upload']['pace'] {
  if (startedAt === null) return null
  const span = Math.max(0, until - startedAt)
  const stepMs = Math.max(1, Math.ceil(span / MOST_STEPS / 1000)) * 1000
  const keysPerSecond = Array.from({ length: Math.floor(span / stepMs) }, () => 0)
  for (const { step, keys } of settledIn(startedAt, stepMs))
    if (step < keysPerSecond.length) keysPerSecond[step] = Math.round((keys * 1000) / stepMs)
  return { from: startedAt, stepMs, keysPerSecond }
}

export function viewUpload(
  store: UploadStore,
  row: ImportRow,
  now: number,
  isLimited: boolean,
): Import['upload'] {
  const totals = store.totals(row.number)
  const recent = row.state === 'uploading' ? store.recent(row.number, now - RATE_WINDOW_MS) : []
  const rate = rateOf(recent, now)
  return {
    keys: totals.keys,
    keysSettled: totals.keysSettled,
    keysInDoubt: totals.keysInDoubt,
    requests: totals.requests,
    requestsSettled: totals.settled,
    ...squaresOf(store.marks(row.number)),
    keysPerSecond: Math.round(rate * 10) / 10,
    leftMs: leftOf(
      { keys: totals.keys - totals.keysSettled, requests: totals.requests - totals.settled },
      recent,
      now,
      isLimited,
    ),
    pace: paceOf(row.started_at, row.ended_at ?? now, (from, stepMs) =>
      store.settledIn(row.number, from, stepMs),
    ),
  }
}

/** The journal, newest first, starting with the request in flight. */
export function viewJournal(store: UploadStore, row: ImportRow): Import['journal'] {
  const written = store.journal(row.number)
  const request = row.state === 'uploading' ? store.inFlight(row.number) : undefined
  if (request === undefined || request.sent_at === null) return written
  const first = store.keysBefore(request) + 1
  const last = first + request.keys - 1
  return [
    {
      at: request.sent_at,
      what: localized('imports.request-sent', { request: request.position + 1 }),
      detail: localized('imports.request-keys', {
        offer: store.offer(request).name,
        first,
        last,
      }),
    },
    ...written,
  ]
}

export function viewOffers(store: UploadStore, number: number): Import['offers'] {
  return store
    .offers(number)
    .map(
      ({
        offerId,
        name,
        platform,
        region,
        deliveryType,
        total,
        answered,
        added,
        duplicates,
        refused,
        excluded,
        stock,
        problem,
      }) => ({
        offerId,
        name,
        platform,
        region,
        deliveryType,
        total,
        sent: answered,
        added,
        duplicates,
        refused,
        excluded,
        stock,
        problem: readProblem(problem),
      }),
    )
}

export const viewSummary = (
  row: ImportRow,
  accountId: string,
): Pick<
  Import,
  | 'importId'
  | 'number'
  | 'accountId'
  | 'state'
  | 'createdAt'
  | 'startedAt'
  | 'endedAt'
  | 'sums'
  | 'problem'
> => ({
  importId: row.import_id,
  number: row.number,
  accountId,
  state: row.state,
  createdAt: row.created_at,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  sums: { ...noTotals, ...parse<Partial<Import['sums']>>(row.sums) },
  problem: readProblem(row.problem),
})

export const viewProblems = (row: ImportRow): Import['problems'] =>
  parse<(Omit<Import['problems'][number], 'isIncluded'> & { isIncluded?: boolean })[]>(
    row.problems,
  ).map((problem) => ({ isIncluded: false, ...problem }))
