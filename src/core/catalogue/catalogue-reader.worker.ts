import { parentPort } from 'node:worker_threads'
import { createMirrorReader } from './reading-task.ts'
import type { ReadingAnswer, ReadingMessage } from './reading-task.ts'

/** Answers one question after the other; what goes wrong with one is its answer. */
const mirrors = createMirrorReader()
const answer = (message: ReadingMessage): ReadingAnswer => {
  try {
    if ('reading' in message) return { id: message.id, read: mirrors.read(message.path, message.reading) }
    mirrors.letGo(message.path)
    return { id: message.id, read: null }
  } catch (error) {
    return { id: message.id, error: error instanceof Error ? error : new Error(String(error)) }
  }
}
parentPort?.on('message', (message: ReadingMessage) => parentPort?.postMessage(answer(message)))
