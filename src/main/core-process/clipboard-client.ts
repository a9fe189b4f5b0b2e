import type { Clipboard } from '../../platform/clipboard.ts'
import type { FromCore, ToCore } from './core-messages.ts'

/**
 * The system's clipboard for the core process, which requests each action from the main process.
 */
export function createClipboardClient(
  tell: (message: FromCore) => void,
): Clipboard & { hear(message: Extract<ToCore, { type: 'clipboard-done' }>): void } {
  const waiting = new Map<number, PromiseWithResolvers<void>>()
  let last = 0
  function ask(act: 'write' | 'clear-if', text: string): Promise<void> {
    const id = ++last
    const answer = Promise.withResolvers<void>()
    waiting.set(id, answer)
    tell({ type: 'clipboard', id, act, text })
    return answer.promise
  }
  return {
    write: (text) => ask('write', text),
    clearIf: (text) => ask('clear-if', text),
    hear({ id, failed }) {
      const answer = waiting.get(id)
      waiting.delete(id)
      if (failed) answer?.reject(new Error('the system refused access to the clipboard'))
      else answer?.resolve()
    },
  }
}
