import type { ConnectFailure } from '../../lib/core/core-connection.ts'

type Words = { title: string; text: string }

/** Where the log is, for when nothing else helps. */
function logText(dataFolder: string | null): string {
  if (dataFolder === null) return 'Its log is logs/keydesk.log in its data folder.'
  const separator = dataFolder.includes('\\') ? '\\' : '/'
  return `Its log is ${[dataFolder, 'logs', 'keydesk.log'].join(separator)}.`
}

/**
 * The text shown while the window isn't connected to the core. `met`: why, once that has lasted for
 * several seconds; null before. `dataFolder`: null while it isn't known.
 */
export function connectionText({
  first,
  met,
  inBrowser,
  dataFolder,
}: {
  first: boolean
  met: ConnectFailure | null
  inBrowser: boolean
  dataFolder: string | null
}): Words {
  const log = logText(dataFolder)
  switch (met) {
    case null:
      return first
        ? { title: 'Keydesk is starting', text: 'Keydesk is opening the data on this computer.' }
        : {
            title: 'Keydesk’s background process stopped',
            text: 'Your data is intact. Running jobs are saved and resume after the restart. Reconnecting…',
          }
    case 'nobody':
      return {
        title: 'Keydesk is not running',
        text:
          'The program behind this page has stopped. Your data is intact, and running jobs are ' +
          'saved and resume. Start Keydesk again as you did before. It opens a new page, so you ' +
          `can close this one. ${log}`,
      }
    case 'opening':
      return {
        title: 'Keydesk is still opening its data',
        text:
          'After a restore, Keydesk checks all files first, which takes time for large ones. This ' +
          'page continues automatically. If it takes more than a few minutes, quit Keydesk and ' +
          `start it again. ${log}`,
      }
    case 'silence':
      return {
        title: 'Keydesk isn’t responding',
        text: inBrowser
          ? 'It may be busy, or this computer may be low on memory. Your data is intact, and this ' +
            'page continues automatically. If this persists, quit Keydesk (q in its terminal, or ' +
            `keydesk --quit) and start it again: running jobs resume. ${log}`
          : 'The background process is starting. Your data is intact, and this window continues ' +
            `automatically. If this persists, close Keydesk and open it again: running jobs resume. ${log}`,
      }
  }
}
