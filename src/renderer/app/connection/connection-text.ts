import type { ConnectFailure } from '../../lib/core/core-connection.ts'

type Words = { title: string; text: string }

/** The text shown while the window isn't connected to the core. */
export function connectionText({
  first,
  met,
  inBrowser,
}: {
  first: boolean
  met: ConnectFailure | null
  inBrowser: boolean
}): Words {
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
          'can close this one.',
      }
    case 'opening':
      return {
        title: 'Keydesk is still opening its data',
        text:
          'After a restore, Keydesk checks all files first, which takes time for large ones. This ' +
          'page continues automatically.',
      }
    case 'silence':
      return {
        title: 'Keydesk isn’t responding',
        text: inBrowser
          ? 'It may be busy, or this computer may be low on memory. Your data is intact, and this ' +
            'page continues automatically. If this persists, quit Keydesk (q in its terminal, or ' +
            'keydesk --quit) and start it again: running jobs resume.'
          : 'The background process is starting. Your data is intact, and this window continues ' +
            'automatically. If this persists, close Keydesk and open it again: running jobs resume.',
      }
  }
}
