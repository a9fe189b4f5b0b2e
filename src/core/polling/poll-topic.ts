import type { PolledTopic } from '../../contract/app/app.ts'
import { later, longAgo, msSince, msUntil } from '../clock.ts'
import type { CoreContext, ServiceConnection } from '../context.ts'
import { Failure } from '../failure.ts'
import { startPollLoop } from '../mirror/mirror.ts'
import type { PollLoop } from '../mirror/mirror.ts'
import { cadences, pauseBeforeNextPoll } from './cadence.ts'

/** The part of the core's context that polling uses. */
export type PollingContext = Pick<
  CoreContext,
  'clock' | 'random' | 'attention' | 'changes' | 'connection' | 'report' | 'settings'
>

export type Polling = {
  context: PollingContext
  accountId: string
  topic: PolledTopic
  signal: AbortSignal
  /** Runs one poll over this connection. Returns whether it found anything new. */
  read: (line: Pick<ServiceConnection, 'call'>) => Promise<boolean>
}

/**
 * Polls at the topic's cadence until `signal` aborts: sooner when the topic comes to the front,
 * less often while nothing changes.
 */
export function startPolling({ context, accountId, topic, signal, read }: Polling): PollLoop {
  const { clock, attention } = context
  const line = context.connection(accountId)
  const cadence = cadences[topic]
  let quiet = 0
  let requests = 0
  let endedAt = longAgo
  const counted: Pick<ServiceConnection, 'call'> = {
    call(operation, input, options) {
      requests += 1
      return line.call(operation, input, options)
    },
  }
  const pause = (): number =>
    pauseBeforeNextPoll(cadence, {
      inFront: attention.isForeground(accountId, topic),
      hidden: attention.isHidden(),
      quiet,
      requests,
    }) * context.settings.get().paces[topic]
  const rounds = startPollLoop({
    clock,
    random: context.random,
    signal,
    pause,
    ready: (until) => line.ready(until),
    async pass() {
      requests = 0
      const found = await read(counted)
      quiet = found ? 0 : quiet + 1
      endedAt = clock.monotonic()
      // The status bar shows when each list was last synced.
      context.changes.notify('connection', accountId)
    },
    onFailure: (error) => {
      if (!(error instanceof Failure)) context.report(`${topic} poll`, error)
    },
  })

  /** Poll a topic that comes to the front as soon as its own pause has passed. */
  let cancel = (): void => {}
  attention.onForeground((of, what) => {
    if (of !== accountId || what !== topic || rounds.nextAt() === null) return
    quiet = 0
    cancel()
    cancel = clock.after(msUntil(clock, later(endedAt, pause())), () => {
      if (!signal.aborted && rounds.nextAt() !== null && msSince(clock, endedAt) >= cadence.frontMs)
        void rounds.runNow()
    })
  }, signal)
  signal.addEventListener('abort', () => cancel(), { once: true })
  return rounds
}
