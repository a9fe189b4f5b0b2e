import { parentPort, workerData } from 'node:worker_threads'
import { leaveProcessor } from '../thread-priority.ts'
import { Stopped } from './counts.ts'
import { createMirrorReader } from './reading-task.ts'
import type { ReadingAnswer, ReadingMessage, ReadingShare } from './reading-task.ts'

/** Answers one request after the other. An error becomes the answer of its request. */
const mirrors = createMirrorReader()
const { wanted, isBehind } = workerData as ReadingShare
if (isBehind) leaveProcessor()
const answer = (message: ReadingMessage): ReadingAnswer => {
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
    if (error instanceof Stopped) return { id: message.id, stopped: true }
    return { id: message.id, error: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** Idle milliseconds before the warm-up searches start. */
const RESTS_AFTER_MS = 300
/** Milliseconds between two warm-up steps, so that a request can come in between. */
const BETWEEN_MS = 3
const rehearsals = new Map<string, Generator<void, void>>()
let next: NodeJS.Timeout | undefined

function rehearseSoon(path: string): void {
  clearTimeout(next)
  const steps = rehearsals.get(path) ?? mirrors.rehearse(path)
  rehearsals.set(path, steps)
  next = setTimeout(function step() {
    try {
      if (steps.next().done !== true) next = setTimeout(step, BETWEEN_MS)
    } catch {
      // A real search reports the same error.
    }
  }, RESTS_AFTER_MS)
}

parentPort?.on('message', (message: ReadingMessage) => {
  parentPort?.postMessage(answer(message))
  if (isBehind) return
  if ('reading' in message) return rehearseSoon(message.path)
  clearTimeout(next)
  rehearsals.delete(message.path)
})
