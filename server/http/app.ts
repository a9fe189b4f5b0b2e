/** The HTTP side of the service: the pipeline of Decision 7 around the domain's handlers. */
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ApiError, validationError } from '../api/errors.ts'
import type { Caller, Handlers } from '../api/handlers.ts'
import { challengeSchema, PROOF_PATH, type SandboxProof } from '../api/sandbox-proof.ts'
import { fieldProblems } from '../api/validation.ts'
import type { Faults, RequestFault } from '../domain/faults/faults.ts'
import type { Log } from '../domain/ports/environment.ts'
import { clientAddress } from './access/address.ts'
import { type AdmissionPorts, createAdmission } from './access/admission.ts'
import { PendingWaits } from './call.ts'
import { registerCompression } from './compression.ts'
import { registerDocsPage } from './docs-page/docs-page.ts'
import { registerFaults } from './faults.ts'
import { createHttpDate } from './http-date.ts'
import { type Pictures, registerPictures } from './pictures.ts'
import { registerDocuments } from './openapi/route.ts'
import type { RequestLog } from './request-log/request-log.ts'
import { jsonContent, sendRefusal } from './refusals.ts'
import { type ArrivalLimits, createSocketRefusals, defaultArrival } from './socket-refusals.ts'
import { registerBodyParser } from './request/request-body.ts'
import { completeRefusal, findOperation, MAX_HEAD_BYTES, registerRoutes } from './routes.ts'
import { zoneOf } from './access/zones.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the admission; null in the public zone. */
    caller: Caller | null
    /** The name of the fault that hit it, for the log. */
    fault: string | null
    /** The fault that replaces its response after it was carried out. */
    lostAnswer: RequestFault | null
  }
}

export type AppOptions = AdmissionPorts & {
  readonly handlers: Handlers
  /** The active request faults. */
  readonly faults: Pick<Faults, 'takeFor'>
  readonly pictures: Pictures
  /** Records every request; null disables the request log. */
  readonly requestLog: RequestLog | null
  readonly log: Log
  readonly newRequestId: () => string
  /** The service's current time, in milliseconds since 1970: the `Date` of every response. */
  readonly now: () => number
  /** Scheme and authority of the service, known after it starts listening. */
  readonly origin: () => string
  /** Runs before everything else of a request. */
  readonly beginRequest?: () => Promise<void>
  /** Records requests, to repeat them. */
  readonly recorder?: { register(app: FastifyInstance): void } | undefined
  /** Answers a challenge that asks for the proof of a sandbox. */
  readonly prove: (nonce: string) => SandboxProof
  /** The waiting requests; stopped ones make no request wait. */
  readonly waits?: PendingWaits
  /** Ends connections of clients that stall. */
  readonly arrival?: ArrivalLimits
}

/**
 * The table's zod schemas validate requests and write responses. With two compilers of our own,
 * fastify doesn't load ajv, which takes a tenth of the startup time.
 */
function noSchemas(): never {
  throw new Error('a route has its own schema')
}

/**
 * Creates the application; the caller listens with it or injects requests. `close()` ends every
 * `wait` immediately, lets running requests finish, and refuses nothing that has arrived.
 */
export function createApp(options: AppOptions): FastifyInstance {
  const { log, arrival = defaultArrival, waits = new PendingWaits() } = options
  const admit = createAdmission(options)
  const date = createHttpDate(options.now)
  const socketRefusals = createSocketRefusals(options.newRequestId, arrival)

  const admitted = ({ raw, routeOptions, operation, url }: FastifyRequest): Caller | null =>
    admit({
      rawHeaders: raw.rawHeaders,
      address: clientAddress(raw.socket.remoteAddress),
      zone: operation?.endpoint.api ?? routeOptions.config.zone ?? zoneOf(url),
      endpoint: operation?.endpoint ?? null,
    })

  const app = fastify({
    // HEAD answers like GET without a body (Decision 43).
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: options.newRequestId,
    requestTimeout: arrival.requestMs,
    http: {
      maxHeaderSize: MAX_HEAD_BYTES,
      requireHostHeader: false,
      headersTimeout: arrival.headMs,
      connectionsCheckingInterval: arrival.checkMs,
    },
    routerOptions: { maxParamLength: MAX_HEAD_BYTES },
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
    clientErrorHandler: socketRefusals.refuse,
    // A path that can't be decoded is an unknown route; the caller still needs a key first.
    frameworkErrors: (_error, request, reply) => {
      reply.header('x-request-id', request.id).header('date', date())
      try {
        admitted(request)
        sendRefusal(new ApiError('NOT_FOUND'), request, reply, log)
      } catch (error) {
        sendRefusal(error, request, reply, log)
      }
    },
  })

  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  )
  app.decorateRequest('operation', null)
  app.decorateRequest('caller', null)
  app.decorateRequest('fault', null)
  app.decorateRequest('lostAnswer', null)
  const { beginRequest } = options
  if (beginRequest !== undefined) app.addHook('onRequest', () => beginRequest())
  options.recorder?.register(app)
  socketRefusals.register(app)
  options.requestLog?.register(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('date', date())
    try {
      findOperation(request, options.handlers)
      request.caller = admitted(request)
      const isKnown = request.operation !== null || request.routeOptions.config.zone !== undefined
      done(isKnown ? undefined : new ApiError('NOT_FOUND'))
    } catch (error) {
      done(error instanceof Error ? error : new ApiError('INTERNAL_ERROR'))
    }
  })
  registerFaults(app, options.faults, waits)
  app.addHook('preClose', (done) => {
    waits.stop()
    done()
  })
  // Without this, a connection whose response is sent while the service closes would stay open
  // until its keep-alive ends.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (waits.stopped) reply.header('connection', 'close')
    done(null, payload)
  })
  registerCompression(app)
  app.setErrorHandler((error, request, reply) =>
    sendRefusal(completeRefusal(error, options, request), request, reply, log),
  )
  app.setNotFoundHandler((request, reply) =>
    sendRefusal(new ApiError('NOT_FOUND'), request, reply, log),
  )

  registerBodyParser(app)
  /** Sends JSON that also reports whether request rates count. */
  const sendWithRates = (reply: FastifyReply, text: string): FastifyReply => {
    if (options.rates === null) reply.header('x-svc-rates', 'off')
    return reply.header('content-type', jsonContent).send(text)
  }
  app.get('/healthz', { config: { zone: 'public' } }, (_request, reply) =>
    sendWithRates(reply, '{"ok":true}'),
  )
  app.post(PROOF_PATH, { config: { zone: 'public' } }, (request, reply) => {
    const challenge = challengeSchema.safeParse(request.body)
    if (!challenge.success) throw validationError(...fieldProblems(challenge.error.issues))
    return sendWithRates(reply, JSON.stringify(options.prove(challenge.data.nonce)))
  })
  registerDocuments(app, options.origin)
  registerDocsPage(app)
  registerPictures(app, options.pictures)
  registerRoutes(app, { handlers: options.handlers, origin: options.origin, waits })
  return app
}
