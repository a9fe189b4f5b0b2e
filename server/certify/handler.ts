/** The partner's handler: a program that the certificate starts, kills and starts again, or only an address. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const START_LIMIT_MS = 30_000
/** How long a person can take to start the handler. */
const PERSON_LIMIT_MS = 300_000

export type Handler = {
  /** Whether it can be killed and started again. */
  readonly restarts: boolean
  /** Starts it again if it ended without being killed, and returns whether it had. */
  revive(): Promise<boolean>
  /** Kills it and everything it started, and starts it again. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** The handler couldn't be started or reached; the message is for the person who runs it. */
export class HandlerError extends Error {
  override readonly name = 'HandlerError'
}

/** Whether a program accepts connections there. */
export function accepts(url: URL, connectTo: typeof connect = connect): Promise<boolean> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  return new Promise((resolve) => {
    const socket = connectTo(port, url.hostname.replace(/^\[|\]$/g, ''))
    const end = (reached: boolean): void => {
      socket.destroy()
      resolve(reached)
    }
    // A socket can connect to itself while nothing listens, if its own port is the one it asks for.
    socket
      .on('connect', () => end(socket.localPort !== socket.remotePort))
      .on('error', () => end(false))
  })
}

type Wait = { readonly withinMs: number; readonly everyMs: number; readonly signal?: AbortSignal }
const startWait: Wait = { withinMs: START_LIMIT_MS, everyMs: 5 }

async function untilReady(
  url: URL,
  gone: () => boolean,
  { withinMs, everyMs, signal }: Wait = startWait,
): Promise<void> {
  const limit = performance.now() + withinMs
  while (!(await accepts(url))) {
    signal?.throwIfAborted()
    if (gone()) throw new HandlerError('The handler ended before it accepted connections.')
    if (performance.now() > limit)
      throw new HandlerError(`Nothing accepts connections at ${url.host}.`)
    await delay(everyMs)
  }
}

/** The group ends after its first process, and must not answer in place of the next start. */
async function untilFree(url: URL): Promise<void> {
  const limit = performance.now() + START_LIMIT_MS
  while (await accepts(url)) {
    if (performance.now() > limit)
      throw new HandlerError(`The handler at ${url.host} can't be killed.`)
    await delay(5)
  }
}

/** Kills a process with everything it started; its group has its id. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
  await ended
}

async function refuseOther(url: URL): Promise<void> {
  if (await accepts(url))
    throw new HandlerError(
      `A program already uses ${url.host}. Stop it: a handler needs the secret and key of this run.`,
    )
}

/**
 * A handler that a person starts.
 *
 * @param announce prints the handler's environment for the person who starts it
 * @param given `mayRun`: a program that accepts connections already is the handler
 */
export async function awaitedHandler(
  url: URL,
  announce: () => void,
  { mayRun = false, signal }: { readonly mayRun?: boolean; readonly signal?: AbortSignal } = {},
): Promise<Handler> {
  const never = (): boolean => false
  const wait: Wait = {
    withinMs: PERSON_LIMIT_MS,
    everyMs: 100,
    ...(signal === undefined ? {} : { signal }),
  }
  if (!mayRun) await refuseOther(url)
  announce()
  await untilReady(url, never, wait)
  return {
    restarts: false,
    revive: () => Promise.resolve(false),
    restart: () => untilReady(url, never, wait),
    stop: () => Promise.resolve(),
  }
}

/**
 * Starts a handler with a shell command.
 *
 * @param env is added to this process's environment
 */
export async function startHandler(
  url: URL,
  command: string,
  env: Readonly<Record<string, string>>,
): Promise<Handler> {
  let child: ChildProcess
  const gone = (): boolean => child.exitCode !== null || child.signalCode !== null
  async function start(): Promise<void> {
    child = spawn(command, {
      shell: true,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...env, PORT: url.port },
    })
    await untilReady(url, gone)
  }
  await refuseOther(url)
  await start()
  // Schedules that run beside each other must not start it twice.
  let reviving: Promise<boolean> | null = null
  return {
    restarts: true,
    async revive() {
      if (reviving === null && !gone()) return false
      reviving ??= start()
        .then(() => true)
        .finally(() => (reviving = null))
      return await reviving
    },
    async restart() {
      await kill(child)
      await untilFree(url)
      await start()
    },
    stop: () => kill(child),
  }
}
