/** The certificate over the dashboard interface: one run at a time, in this process. */
import type { z } from 'zod'
import type { certificate, certificateRequest } from '../api/dashboard/certificate.ts'
import { ApiError, type FieldProblem, validationError } from '../api/errors.ts'
import { type Handlers, withFieldCheck } from '../api/handlers.ts'
import { certify, environmentOf } from './certify.ts'
import { HandlerError } from './handler.ts'
import { byProbe, ObservationError } from './observed.ts'
import type { Orders } from './orders.ts'
import { resultView } from './report.ts'
import { readSchedule } from './schedule.ts'
import { anySeed } from './any-seed.ts'

type Request = z.output<typeof certificateRequest>
type View = z.output<typeof certificate.strict>
type Run = { readonly view: View; readonly cancel: AbortController; readonly ended: Promise<void> }

const DEFAULT_SCHEDULES = 500

export type Certificates = {
  readonly handlers: Pick<Handlers, 'startCertificate' | 'getCertificate' | 'cancelCertificate'>
  /** Ends a run without waiting for the handler, and the service of its orders. */
  stop(): Promise<void>
}

const nothing: View = {
  state: 'none',
  url: null,
  probe: null,
  schedules: 0,
  seed: null,
  replay: null,
  done: 0,
  failed: 0,
  reason: null,
  variables: null,
  result: null,
}

const isActive = ({ state }: View): boolean =>
  state === 'waiting' || state === 'running' || state === 'shrinking'

const replayProblems = (text: string | null | undefined): FieldProblem[] =>
  text == null || readSchedule(text) !== null
    ? []
    : [{ field: 'replay', message: 'must be a schedule as a failure shows it' }]

function readReplay(text: string | undefined) {
  if (text === undefined) return {}
  const replay = readSchedule(text)
  if (replay === null) throw validationError(...replayProblems(text))
  return { replay }
}

/**
 * @param startOrders starts the service of the orders. It is kept for later runs, so that a handler
 *   can keep its key and secret.
 */
export function createCertificates(startOrders: () => Promise<Orders>): Certificates {
  let service: Promise<Orders> | null = null
  let run: Run | null = null

  async function conduct(view: View, request: Request, signal: AbortSignal): Promise<void> {
    const isKnown = service !== null
    service ??= startOrders()
    const orders = await service.catch((error: unknown) => {
      service = null
      throw error
    })
    view.variables = environmentOf(orders)
    const done = await certify({
      url: new URL(request.url),
      observe: byProbe(new URL(request.probe)),
      start: null,
      kills: false,
      schedules: view.schedules,
      seed: view.seed ?? 0,
      ...readReplay(request.replay),
      orders,
      mayRun: isKnown,
      signal,
      onProgress: (progress) => Object.assign(view, progress),
    })
    Object.assign(view, { state: 'finished', done: done.schedules, failed: done.failed })
    view.result = resultView(done)
  }

  function begin(request: Request): Run {
    const cancel = new AbortController()
    const { url, probe, schedules = DEFAULT_SCHEDULES, seed = anySeed(), replay } = request
    const view: View = {
      ...nothing,
      state: 'waiting',
      url,
      probe,
      schedules: replay === undefined ? schedules : 1,
      seed,
      replay: replay ?? null,
    }
    const ended = conduct(view, request, cancel.signal).catch((error: unknown) => {
      view.state = cancel.signal.aborted ? 'canceled' : 'failed'
      if (cancel.signal.aborted) return
      const isExpected = error instanceof HandlerError || error instanceof ObservationError
      const message = error instanceof Error ? error.message : String(error)
      view.reason = isExpected ? message : `The certificate stopped: ${message}`
    })
    return { view, cancel, ended }
  }

  const present = (): View => {
    const { view } = run ?? { view: nothing }
    return { ...view }
  }

  return {
    handlers: {
      startCertificate: withFieldCheck<'startCertificate'>(
        ({ body }) => replayProblems(body?.replay),
        (_call, { body }) => {
          if (run !== null && isActive(run.view))
            throw new ApiError('VALIDATION_ERROR', 'A certificate is running. Cancel it first.')
          readReplay(body.replay)
          run = begin(body)
          return { status: 202, body: present() }
        },
      ),
      getCertificate: () => ({ status: 200, body: present() }),
      async cancelCertificate() {
        run?.cancel.abort()
        await run?.ended
        return { status: 200, body: present() }
      },
    },
    async stop() {
      run?.cancel.abort()
      const orders = await service?.catch(() => null)
      await orders?.stop()
    },
  }
}
