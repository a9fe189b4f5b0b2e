import type { ReadStream } from 'node:tty'

/**
 * Keys that a person can press in the terminal that started Keydesk: `o` opens another tab, `q` and
 * Ctrl+C quit. Does nothing without a terminal.
 */
export function listenToTerminal(input: ReadStream, keys: { open(): void; quit(): void }): void {
  if (!input.isTTY) return
  input.setRawMode(true)
  input.resume()
  input.setEncoding('utf8')
  input.on('data', (typed) => {
    for (const key of String(typed)) {
      if (key === 'o') keys.open()
      if (key === 'q' || key === '\u0003' || key === '\u0004') keys.quit()
    }
  })
  input.unref()
}
