import { workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../../thread-priority.ts'
import { CountingStopped } from './counts.ts'
import { serve } from '../../workers/workers.ts'
import { createReaderTask } from './reader-task.ts'
import type { ReaderCalls, ReaderThreadData } from './reader-task.ts'

/** Answers one request after the other. */
const mirrors = createReaderTask()
const { wanted, isLowPriority: isBehind } = workerData as ReaderThreadData
if (isBehind) lowerThreadPriority()
/** Idle milliseconds before the warm-up searches start. */
const IDLE_MS = 300
/** Milliseconds between two warm-up steps, so that a request can come in between. */
const BETWEEN_MS = 3
const warmUps = new Map<string, Generator<void, void>>()
let next: NodeJS.Timeout | undefined

function scheduleWarmUp(path: string): void {
  clearTimeout(next)
  const steps = warmUps.get(path) ?? mirrors.warmUp(path)
  warmUps.set(path, steps)
  next = setTimeout(function step() {
    try {
      if (steps.next().done !== true) next = setTimeout(step, BETWEEN_MS)
    } catch {
      // A real search reports the same error.
    }
  }, IDLE_MS)
}

serve<ReaderCalls>((request) => {
  const { path } = request
  if ('close' in request) {
    mirrors.letGo(path)
    clearTimeout(next)
    warmUps.delete(path)
    return { read: null }
  }
  if (!isBehind) scheduleWarmUp(path)
  try {
    return {
      read: mirrors.read(path, request.reading, () => Atomics.load(wanted, 0) === request.number),
    }
  } catch (error) {
    if (error instanceof CountingStopped) return { stopped: true }
    throw error
  }
})
