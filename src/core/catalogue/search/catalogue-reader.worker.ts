import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../../thread-priority.ts'
import { CountingStopped } from './counts.ts'
import { createReaderTask } from './reader-task.ts'
import type { ReaderAnswer, ReaderMessage, ReaderThreadData } from './reader-task.ts'

/** Answers one request after the other. An error becomes the answer of its request. */
const mirrors = createReaderTask()
const { wanted, isLowPriority: isBehind } = workerData as ReaderThreadData
if (isBehind) lowerThreadPriority()
const answer = (message: ReaderMessage): ReaderAnswer => {
  try {
    if ('reading' in message)
      return {
        id: message.id,
        read: mirrors.read(
          message.path,
          message.reading,
          () => Atomics.load(wanted, 0) === message.id,
        ),
      }
    mirrors.letGo(message.path)
    return { id: message.id, read: null }
  } catch (error) {
    if (error instanceof CountingStopped) return { id: message.id, stopped: true }
    return { id: message.id, error: error instanceof Error ? error : new Error(String(error)) }
  }
}

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

parentPort?.on('message', (message: ReaderMessage) => {
  parentPort?.postMessage(answer(message))
  if (isBehind) return
  if ('reading' in message) return scheduleWarmUp(message.path)
  clearTimeout(next)
  warmUps.delete(message.path)
})
