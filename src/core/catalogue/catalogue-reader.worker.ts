import { parentPort, workerData } from 'node:worker_threads'
import { leaveProcessor } from '../thread-priority.ts'
import { Stopped } from './counts.ts'
import { createMirrorReader } from './reading-task.ts'
import type { ReadingAnswer, ReadingMessage, ReadingShare } from './reading-task.ts'

/** Answers one question after the other; what goes wrong with one is its answer. */
const mirrors = createMirrorReader()
const { wanted, isBehind } = workerData as ReadingShare
if (isBehind) leaveProcessor()
const answer = (message: ReadingMessage): ReadingAnswer => {
  try {
    if ('reading' in message) return { id: message.id, read: mirrors.read(message.path, message.reading, () => Atomics.load(wanted, 0) === message.id) }
    mirrors.letGo(message.path)
    return { id: message.id, read: null }
  } catch (error) {
    if (error instanceof Stopped) return { id: message.id, stopped: true }
    return { id: message.id, error: error instanceof Error ? error : new Error(String(error)) }
  }
}
parentPort?.on('message', (message: ReadingMessage) => parentPort?.postMessage(answer(message)))
