import type { Met } from '../lib/line.ts'

type Words = { title: string; text: string }

/**
 * What the screen says while there is no line to the core. `met`: why it takes long, null while it
 * doesn't.
 */
export function waitWords({
  first,
  met,
  inBrowser,
}: {
  first: boolean
  met: Met | null
  inBrowser: boolean
}): Words {
  switch (met) {
    case null:
      return first
        ? { title: 'Keydesk starts', text: 'Its core opens the data on this machine.' }
        : {
            title: 'The part of Keydesk that does the work has stopped',
            text: 'Nothing is lost: what was under way is written down and goes on when it is back. Reconnecting…',
          }
    case 'nobody':
      return {
        title: 'Keydesk is not running',
        text: 'The program behind this page has ended. Nothing is lost: what was under way is written down and goes on. Start Keydesk again as you did before: it opens a page of its own, and this one can be closed.',
      }
    case 'opening':
      return {
        title: 'Keydesk still opens its data',
        text: 'After a restore it looks through all of its files first, and large ones take their time. This page goes on by itself when it is done.',
      }
    case 'silence':
      return {
        title: 'Keydesk does not answer',
        text: inBrowser
          ? 'It may be busy, or this machine short of memory. Nothing is lost, and this page goes on by itself when it answers. If this stays, press q in the terminal where it runs and start it again: what was under way goes on.'
          : 'Its core is being started. Nothing is lost, and the screen goes on by itself when it answers. If this stays, close Keydesk and open it again: what was under way goes on.',
      }
  }
}
