import { execFile } from 'node:child_process'

/** How long the system has to answer, in milliseconds. It usually needs less than 50. */
const limitMs = 1000

/** Prints the addresses that the system has for a name below `localhost`. */
const lookup = `require('node:dns').lookup('keydesk.localhost', { all: true }, (error, found) => {
  console.log(JSON.stringify(error === null ? found.map(({ address }) => address) : []))
})`

/**
 * Whether this computer's system resolves `*.localhost`, as some browsers need. Asks in a process
 * of its own: a name server that doesn't answer would delay the start, and a pending lookup the
 * end of this process, by up to half a minute.
 *
 * @param program the source of the asking process, for tests
 */
export function systemResolvesLocalhost(program = lookup): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['-e', program],
      { timeout: limitMs, killSignal: 'SIGKILL' },
      (error, output) => resolve(error === null && areLoopback(output)),
    )
  })
}

/** Without an output, as after a process that was killed, nothing is known. */
function areLoopback(output: string): boolean {
  if (output.trim() === '') return false
  const addresses = JSON.parse(output) as string[]
  return addresses.length > 0 && addresses.every((address) => /^127\.|^::1$/.test(address))
}
