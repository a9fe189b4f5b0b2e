/*
 * Replaces time, timers and randomness of this process, for all its modules. A worker process
 * imports it before anything else, and then loads the rest dynamically.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import timers from 'node:timers'
import timerPromises from 'node:timers/promises'
import { createSeededBytes } from './seeded-bytes.ts'
import { createVirtualTime } from './virtual-time.ts'

const realImmediate = setImmediate
const RealDate = Date

/** Kinds of work that Node does outside of JavaScript, as `getActiveResourcesInfo` names them. */
const isOutsideWork = (kind: string): boolean =>
  kind.startsWith('FSReq') ||
  kind.startsWith('FileHandle') ||
  kind.endsWith('Job') ||
  kind.endsWith('Request') ||
  /zlib/i.test(kind)

async function settled(): Promise<void> {
  do
    await new Promise<void>((resolve) => {
      realImmediate(resolve)
    })
  while (process.getActiveResourcesInfo().some(isOutsideWork))
}

const start = RealDate.UTC(2026, 0, 5, 7)
export const time = createVirtualTime(start, settled)

/** The bytes for code that takes its randomness from Node. Each day sets its own. */
export const bytes = createSeededBytes()
/**
 * Bytes for code that takes many at a time and keeps the rest for later, also for the next day: when
 * it takes more depends on earlier days.
 */
const stock = createSeededBytes('stock')
const STOCK_FROM = 4096

type Handle = NodeJS.Timeout & NodeJS.Immediate
function handleOf(cancel: () => void): Handle {
  const handle = {
    cancel,
    ref: () => handle,
    unref: () => handle,
    hasRef: () => true,
    [Symbol.dispose]: cancel,
  }
  return handle as unknown as Handle
}
const clear = (handle: unknown): void => {
  if (typeof handle === 'object' && handle !== null && 'cancel' in handle)
    (handle.cancel as () => void)()
}
type Task = (...values: unknown[]) => void
const setVirtualTimeout = (task: Task, ms = 0, ...values: unknown[]): Handle =>
  handleOf(time.after(Math.max(1, ms), () => task(...values)))
const setVirtualImmediate = (task: Task, ...values: unknown[]): Handle =>
  handleOf(time.immediate(() => task(...values)))
function setVirtualInterval(task: Task, ms = 0, ...values: unknown[]): Handle {
  let cancel = (): void => {}
  const again = (): void => {
    cancel = time.after(Math.max(1, ms), () => {
      again()
      task(...values)
    })
  }
  again()
  return handleOf(() => cancel())
}

class VirtualDate extends RealDate {
  constructor(...values: unknown[]) {
    if (values.length === 0) super(time.now())
    else super(...(values as [number]))
  }
  static override now(): number {
    return time.now()
  }
}

function install(): void {
  const timing = {
    setTimeout: setVirtualTimeout,
    setInterval: setVirtualInterval,
    setImmediate: setVirtualImmediate,
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  }
  Object.assign(globalThis, timing, { Date: VirtualDate })
  AbortSignal.timeout = (ms) => {
    const limit = new AbortController()
    time.after(ms, () => limit.abort(new DOMException('The time is over.', 'TimeoutError')))
    return limit.signal
  }
  Object.assign(timers, timing)
  Object.assign(timerPromises, {
    setTimeout: <T>(ms: number, value?: T) =>
      new Promise((resolve) => void time.after(ms, () => resolve(value))),
    setImmediate: <T>(value?: T) =>
      new Promise((resolve) => void time.immediate(() => resolve(value))),
  })
  Object.defineProperty(performance, 'now', { value: () => time.now() - start })
  Object.assign(os, { uptime: () => (time.now() - start) / 1000 })
  Object.assign(crypto, {
    randomBytes: (count: number) => (count < STOCK_FROM ? bytes : stock).take(count),
    randomUUID: () => bytes.uuid(),
  })
  syncBuiltinESMExports()
}

install()
