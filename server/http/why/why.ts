/** GET /dashboard/requests/{id}/why: why a request was refused, and what would pass. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ApiError } from '../../api/errors.ts'
import type { Handlers, ResultOf } from '../../api/handlers.ts'
import { scopes } from '../../api/schemas/enums.ts'
import { pathOf } from '../access/zones.ts'
import { tagOf } from '../openapi/tags.ts'
import { maskedParameter, maskedPath, maskedRequest } from '../request-log/masking.ts'
import type { RefusedRequest } from '../request-log/refused-request.ts'
import {
  type Attempt,
  attemptOf,
  type Matched,
  matched,
  searchOf,
  type Sender,
  type Step,
} from './attempt.ts'
import { changesBetween } from './changes.ts'
import { checksOf } from './checks.ts'
import { issueKey } from './repairs/access.ts'
import { dashboard, textOf } from './repairs/repair.ts'
import { type Found, search } from './search.ts'
import { type StartTrial, Trial, type TrialService } from './trial.ts'

type Why = ResultOf<'explainRequest'>['body']
type Suggestion = NonNullable<Why['suggestion']>

const removeFaults: Step = { sender: dashboard, method: 'DELETE', path: '/dashboard/faults' }

/** Accounts tried when the key of the request wasn't accepted. */
const MAX_ACCOUNTS = 3

/** Accounts that could send the request, when its own key wasn't accepted; the oldest first. */
async function anyAccounts(trial: Trial, refused: RefusedRequest): Promise<Sender[]> {
  const api = refused.zone
  if (api !== 'partner' && api !== 'seller') return []
  const rows = await trial.list(dashboard, `/dashboard/${api}s?limit=100`)
  const kind = refused.presented?.kind
  const mode = kind?.api === 'partner' ? kind.mode : 'test'
  return rows
    .filter(({ status }) => status === 'active')
    .map((row) => textOf(row, 'id'))
    .toReversed()
    .slice(0, MAX_ACCOUNTS)
    .map((id) => (api === 'seller' ? { api, id } : { api, id, mode, scopes }))
}

/** Who sends the attempts: the account of the request, or others if it has none. */
async function sendersOf(
  refused: RefusedRequest,
  trial: Trial,
): Promise<{ senders: Sender[]; needsKey: boolean }> {
  const { caller, zone, presented } = refused
  if (zone === 'dashboard') return { senders: [dashboard], needsKey: false }
  if (caller?.kind === 'partner') {
    const { partnerId: id, mode, scopes: own } = caller
    return { senders: [{ api: 'partner', id, mode, scopes: own }], needsKey: false }
  }
  if (caller?.kind === 'seller')
    return { senders: [{ api: 'seller', id: caller.sellerId }], needsKey: false }
  const kind = presented?.kind
  const holder = kind?.api === zone ? trial.holder(kind.api, presented?.sha256 ?? '') : null
  if (holder !== null) return { senders: [holder], needsKey: false }
  return { senders: await anyAccounts(trial, refused), needsKey: true }
}

function firstAttempt(refused: RefusedRequest, sender: Sender, needsKey: boolean): Attempt {
  const { error, fault } = refused
  const wait = z.object({ retryAfterMs: z.number() }).safeParse(error.details).data?.retryAfterMs
  const attempt = attemptOf(refused, sender)
  const key = needsKey ? issueKey(attempt) : null
  return {
    ...attempt,
    waitMs: fault === null && error.code === 'RATE_LIMITED' ? (wait ?? 0) : 0,
    steps: [...(key === null ? [] : [key]), ...(fault === null ? [] : [removeFaults])],
  }
}

const stepView = ({ method, path, body }: Step) => ({
  method,
  path: maskedPath(path),
  body: maskedRequest(path, body ?? null),
})

/** Another request, or another call before it, has another fingerprint. */
const fingerprintOf = ({ steps, sender, waitMs, method, path, query, body }: Attempt): string =>
  createHash('sha256')
    .update(JSON.stringify([steps, sender, waitMs, method, path, query, body]))
    .digest('hex')
    .slice(0, 32)

function suggestionView(
  refused: RefusedRequest,
  { attempt, status, tried }: Found,
  durationMs: number,
): Suggestion {
  const { method, path, query, idempotencyKey, body } = attempt
  return {
    fingerprint: fingerprintOf(attempt),
    steps: attempt.steps.map(stepView),
    waitMs: attempt.waitMs,
    request: {
      method,
      path: maskedPath(path),
      query: searchOf(
        query.map(([name, value]) => [maskedPath(name), maskedParameter(path, value)]),
      ).toString(),
      idempotencyKey: idempotencyKey === null ? null : maskedPath(idempotencyKey),
      body: maskedRequest(path, body ?? null),
    },
    changes: changesBetween(attemptOf(refused, attempt.sender), attempt),
    status,
    tried,
    durationMs,
  }
}

/** The chapter and operation on the page of the reference. */
function linkOf(at: Matched | null): string {
  if (at === null) return '/docs'
  const { api, method, path } = at.endpoint
  if (api === 'dashboard') return '/docs#dashboard'
  const chapter = tagOf(at.operation as Parameters<typeof tagOf>[0], at.endpoint)
  const tag = chapter
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .replaceAll(' ', '-')
  return `/docs#api/tag/${tag}/${method}${api === 'seller' ? '/seller' : ''}${path}`
}

async function suggest(refused: RefusedRequest, startTrial: StartTrial): Promise<Found | null> {
  const start = async (): Promise<Trial> => new Trial(await startTrial(), refused.address)
  const trial = await start()
  const { senders, needsKey } = await sendersOf(refused, trial).catch((error: unknown) => {
    trial.end()
    throw error
  })
  const firsts = senders.map((sender) => firstAttempt(refused, sender, needsKey))
  return search(firsts, trial, start)
}

/** Sends a request that was found to the service itself, with a new Idempotency-Key. */
async function sendHere(
  refused: RefusedRequest,
  { attempt }: Found,
  here: TrialService,
): Promise<ResultOf<'runSuggestion'>['body']> {
  const trial = new Trial(here, refused.address)
  try {
    // Sent twice, it is one request.
    const idempotencyKey = attempt.idempotencyKey === null ? null : `here-${refused.requestId}`
    const sent = await trial.run({ ...attempt, idempotencyKey })
    if (sent === undefined)
      throw new ApiError('VALIDATION_ERROR', 'A call that has to come first was refused.')
    const { status, requestId, refusal } = sent
    return { status, requestId, code: refusal?.code ?? null }
  } finally {
    await trial.revokeKeys()
  }
}

/**
 * @param refusedOf finds a refused request in the log
 * @param startTrial copies the present data
 * @param here the service itself
 */
export function whyHandlers(
  refusedOf: (requestId: string) => RefusedRequest | undefined,
  startTrial: StartTrial,
  here: () => TrialService,
  monotonic: () => number,
) {
  function known(id: string): RefusedRequest {
    const refused = refusedOf(id)
    if (refused === undefined)
      throw new ApiError('NOT_FOUND', 'The log has no refused request with this id.')
    return refused
  }

  return {
    async runSuggestion(_call, { params, body: { fingerprint } = {} }) {
      const refused = known(params.id)
      const found = await suggest(refused, startTrial)
      if (found === null) throw new ApiError('VALIDATION_ERROR', 'No request near this one passes.')
      if (fingerprint !== undefined && fingerprint !== fingerprintOf(found.attempt))
        throw new ApiError(
          'VALIDATION_ERROR',
          'Another request passes now, so nothing was sent. Explain the refusal again.',
        )
      if (found.attempt.waitMs > 0)
        throw new ApiError('VALIDATION_ERROR', 'It passes only after a wait: send it again then.')
      return { status: 200, body: await sendHere(refused, found, here()) }
    },
    async explainRequest(_call, { params }) {
      const refused = known(params.id)
      const begun = monotonic()
      const path = pathOf(refused.url)
      const at = matched(refused.method, path)
      const found = await suggest(refused, startTrial)
      const durationMs = Math.round(monotonic() - begun)
      const { checks, rule } = checksOf(refused, at)
      return {
        status: 200,
        body: {
          requestId: refused.requestId,
          at: new Date(refused.at).toISOString(),
          method: refused.method,
          path: maskedPath(path),
          status: refused.status,
          code: refused.error.code,
          message: refused.error.message,
          checks: checks.map((each) => ({
            ...each,
            value: each.value === null ? null : maskedPath(each.value),
          })),
          rule: { text: rule, link: linkOf(at) },
          suggestion: found === null ? null : suggestionView(refused, found, durationMs),
        },
      }
    },
  } satisfies Handlers
}
