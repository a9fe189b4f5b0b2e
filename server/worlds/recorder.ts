/** Records the requests of a repeatable sandbox, in their order and in memory. */
import { pipeline, Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { credentialOf, headerValues } from '../http/access/credentials.ts'
import { pathOf, zoneOf } from '../http/access/zones.ts'
import { issuedKeys } from './issued-keys.ts'

export type Recorded = {
  readonly method: string
  /** Path and query as sent. */
  readonly path: string
  /** Where its key comes from; see `worldFile`. */
  readonly key: string
  readonly headers: Readonly<Record<string, string>>
  /** As sent; null without a body. */
  body: string | null
  /** 0 until it is answered, and if the connection was cut. */
  status: number
}

export type Recorder = {
  register(app: FastifyInstance): void
  /** Adds the keys of the ready line. */
  ready(line: unknown): void
  /** The requests so far, without the last one; null if there were too many to keep. */
  requests(): readonly Recorded[] | null
}

const MAX_REQUESTS = 50_000
/** Of all bodies together, in characters. */
const MAX_TOTAL = 64 * 1024 * 1024
const kept = ['content-type', 'idempotency-key', 'user-agent'] as const

/**
 * Its answer is never the same, or the requests that it sends are recorded themselves; a request
 * that only passes time takes its place.
 */
const isUnrepeatable = (path: string): boolean =>
  /^\/(sandbox-proof|dashboard\/(branches|certificate|world|requests\/[^/]+\/run))(\/|$)/.test(path)

const passingTime = { method: 'GET', path: '/healthz', key: 'none', headers: {} } as const

export function createRecorder(dashboardToken: string): Recorder {
  const requests: Recorded[] = []
  const keys = new Map([[dashboardToken, 'dashboard']])
  let total = 0
  const isFull = (): boolean => requests.length > MAX_REQUESTS || total > MAX_TOTAL

  function keyOf({ raw, url }: FastifyRequest): string {
    if (headerValues(raw.rawHeaders, 'authorization').length === 0 && !raw.headers['x-api-key'])
      return 'none'
    try {
      return keys.get(credentialOf(raw.rawHeaders, zoneOf(url) === 'partner')) ?? 'unknown'
    } catch {
      return 'unknown'
    }
  }

  function headersOf({ raw }: FastifyRequest): Record<string, string> {
    return Object.fromEntries(
      kept.flatMap((name) => headerValues(raw.rawHeaders, name).map((value) => [name, value])),
    )
  }

  function learn(no: number, answer: unknown): void {
    for (const [key, place] of issuedKeys(answer)) keys.set(key, `${no}${place}`)
  }

  return {
    ready: (line) => learn(0, line),
    requests: () => (isFull() ? null : requests.slice(0, -1)),
    register(app) {
      const noted = new WeakMap<FastifyRequest, { recorded: Recorded; no: number }>()
      app.addHook('onRequest', (request, _reply, done) => {
        const { method, url } = request
        const recorded: Recorded = isUnrepeatable(pathOf(url))
          ? { ...passingTime, body: null, status: 200 }
          : {
              method,
              path: url,
              key: keyOf(request),
              headers: headersOf(request),
              body: null,
              status: 0,
            }
        if (isFull()) return done()
        const no = requests.push(recorded)
        if (recorded.path === url) noted.set(request, { recorded, no })
        done()
      })
      app.addHook('preParsing', (request, _reply, payload, done) => {
        const found = noted.get(request)
        if (found === undefined) return done(null, payload)
        const chunks: Buffer[] = []
        const copy = new Transform({
          transform(chunk: Buffer, _encoding, next) {
            chunks.push(chunk)
            next(null, chunk)
          },
        })
        copy.on('end', () => {
          const body = Buffer.concat(chunks).toString()
          total += body.length
          if (body !== '') found.recorded.body = body
        })
        return done(
          null,
          pipeline(payload, copy, () => undefined),
        )
      })
      app.addHook('onSend', (request, reply, payload, done) => {
        const found = noted.get(request)
        if (found !== undefined && zoneOf(request.url) === 'dashboard' && reply.statusCode < 300) {
          if (typeof payload === 'string' || Buffer.isBuffer(payload))
            learn(found.no, JSON.parse(payload.toString()))
        }
        done(null, payload)
      })
      app.addHook('onResponse', (request, reply, done) => {
        const found = noted.get(request)
        if (found !== undefined) found.recorded.status = reply.statusCode
        done()
      })
    },
  }
}
