/**
 * The latest requests of all three interfaces, for GET /dashboard/requests: in memory, bounded,
 * secrets masked.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Handlers } from '../../api/handlers.ts'
import { envelopeOf, pageOf } from '../../api/schemas/paging.ts'
import { maskedRequest, maskedResponse, maskedUrl } from './masking.ts'
import { type RefusedRequest, refusedRequest } from './refused-request.ts'
import { zoneOf } from '../access/zones.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The log's data of a request in progress; null once it has ended. */
    logged: { readonly at: number; answer: string | Buffer; error: unknown } | null
  }
}

const MAX_ENTRIES = 1000
/** Limit for all stored bodies together, in characters; the oldest requests are dropped. */
const MAX_TOTAL = 8 * 1024 * 1024
/** For a larger body, only the size is stored. */
const MAX_BODY = 64 * 1024
/**
 * The status of a request whose connection closed before a response was sent: cut by a fault, or
 * aborted by the client.
 */
const NO_ANSWER = 0

interface Entry {
  at: number
  method: string
  path: string
  query: string
  status: number
  durationMs: number
  requestId: string
  account: string | null
  client: string | null
  fault: string | null
  /** Masked JSON. */
  request: string
  /** JSON as sent, bytes or text; masked when it is read, so that responding isn't slowed. */
  response: string | Buffer
  /** A refused request, unmasked; null for the others and for a large one. */
  refused: RefusedRequest | null
}

export type RequestLog = {
  /** A refused request that is still in the log. Undefined for every other id. */
  refused(requestId: string): RefusedRequest | undefined
  register(app: FastifyInstance): void
  readonly handlers: Pick<Handlers, 'listRequests'>
}

/** No body, as JSON. */
const NO_BODY = 'null'

const omitted = (size: number): string =>
  JSON.stringify({ omitted: `a body of ${size} characters` })

const isOmitted = (text: string): boolean => text.startsWith('{"omitted":"a body of ')

function accountOf(caller: Caller | null): string | null {
  if (caller === null || caller.kind === 'dashboard') return null
  return caller.kind === 'partner' ? caller.partnerId : caller.sellerId
}

const MAX_CLIENT = 60

/** `Keydesk` of `Keydesk/0.2.0 (linux)`. */
const clientOf = (userAgent: string | undefined): string | null =>
  /^[^\s/]+/.exec(userAgent ?? '')?.[0].slice(0, MAX_CLIENT) ?? null

function requestText(path: string, request: FastifyRequest): string {
  const size = Number(request.headers['content-length'] ?? 0)
  if (size > MAX_BODY) return omitted(size)
  if (request.body === undefined || request.body === null) return NO_BODY
  const text = JSON.stringify(maskedRequest(path, request.body ?? null))
  return text.length > MAX_BODY ? omitted(text.length) : text
}

/** What an entry adds to the total. A refused body also stays unmasked. */
const sizeOf = ({ request, response, refused }: Entry): number =>
  request.length + response.length + (refused?.bytes ?? 0)

/** Whether a request is recorded: not one outside the interfaces, and not one that reads the log. */
const isNoted = (method: string, path: string): boolean =>
  zoneOf(path) !== 'public' &&
  !(method === 'GET' && /^\/dashboard\/requests(\/[^/]+\/why)?$/.test(path))

/** `now` is the service's clock; without `timed`, every duration is 0. */
export function createRequestLog(now: () => number, timed = true): RequestLog {
  const entries: Entry[] = []
  let total = 0

  function add(entry: Entry): void {
    entries.push(entry)
    total += sizeOf(entry)
    while (entries.length > MAX_ENTRIES || total > MAX_TOTAL) {
      const oldest = entries.shift()
      if (!oldest) return
      total -= sizeOf(oldest)
    }
  }

  const view = ({ at, request, response, refused: _refused, ...entry }: Entry) => ({
    at: new Date(at).toISOString(),
    ...entry,
    request: JSON.parse(request) as unknown,
    response: maskedResponse(entry.path, JSON.parse(response.toString())),
  })

  return {
    register(app) {
      app.decorateRequest('logged', null)

      /** Records a request when it ends; both end events can fire for one request. */
      function note(request: FastifyRequest, reply: FastifyReply, status: number): void {
        const { logged } = request
        if (logged === null) return
        request.logged = null
        const { at, error } = logged
        const [path = '', query = ''] = maskedUrl(request.url).split('?', 2)
        if (!isNoted(request.method, path)) return
        const answer = status === NO_ANSWER ? NO_BODY : logged.answer
        const text = requestText(path, request)
        add({
          at,
          method: request.method,
          path,
          query,
          status,
          durationMs: timed ? Math.round(reply.elapsedTime * 1e3) / 1e3 : 0,
          requestId: request.id,
          account: accountOf(request.caller),
          client: clientOf(request.headers['user-agent']),
          fault: request.fault,
          request: text,
          response: answer,
          refused:
            status < 400 || isOmitted(text)
              ? null
              : refusedRequest(request, { at, status, answer, error }),
        })
      }

      app.addHook('onRequest', (request, reply, done) => {
        request.logged = { at: now(), answer: NO_BODY, error: undefined }
        reply.raw.once('close', () => {
          if (!reply.raw.writableFinished) note(request, reply, NO_ANSWER)
        })
        done()
      })
      app.addHook('onSend', ({ logged }, _reply, payload, done) => {
        if (logged !== null && (typeof payload === 'string' || Buffer.isBuffer(payload)))
          logged.answer = payload.length > MAX_BODY ? omitted(payload.length) : payload
        done(null, payload)
      })
      app.addHook('onError', (request, _reply, error, done) => {
        if (request.logged !== null) request.logged.error = error
        done()
      })
      app.addHook('onResponse', (request, reply, done) => {
        note(request, reply, reply.statusCode)
        done()
      })
    },
    refused: (requestId) =>
      entries.findLast((entry) => entry.requestId === requestId)?.refused ?? undefined,
    handlers: {
      listRequests(_call, { query }) {
        const { path, status, account, fault, withoutClient } = query
        const method = query.method?.toUpperCase()
        const matches =
          path?.endsWith('*') === true
            ? (own: string) => own.startsWith(path.slice(0, -1))
            : (own: string) => own === path
        const found = entries
          .filter(
            (entry) =>
              (path === undefined || matches(entry.path)) &&
              (status === undefined || entry.status === status) &&
              (method === undefined || entry.method === method) &&
              (account === undefined || entry.account === account) &&
              (fault === undefined ||
                (fault === '*' ? entry.fault !== null : entry.fault === fault)) &&
              (withoutClient === undefined || entry.client !== withoutClient),
          )
          .toReversed()
        const { offset, limit } = pageOf(query)
        return {
          status: 200,
          body: envelopeOf(query, found.length, found.slice(offset, offset + limit).map(view)),
        }
      },
    },
  }
}
