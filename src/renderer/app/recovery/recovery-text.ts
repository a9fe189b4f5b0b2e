import type { CheckedFile, RecoveryProblem, RecoveryState } from '../../../contract/app/recovery.ts'

/** The ways to continue, in the order of the page. */
export const ways = ['before-update', 'repair', 'retry', 'restore', 'read-only', 'export'] as const
export type Way = (typeof ways)[number]

type Words = { title: string; lead: string }

const untouched = 'Keydesk stopped before it changed anything. Nothing on the service changed.'

/** The page's heading and what happened. */
export const problemWords: Readonly<Record<RecoveryProblem, Words>> = {
  missing: {
    title: 'The database is missing',
    lead: `The data folder has files of accounts, but not keydesk.db, which lists them. ${untouched}`,
  },
  wiped: {
    title: 'The database is empty',
    lead: `The data folder has files of accounts, but keydesk.db lists none. ${untouched}`,
  },
  incomplete: {
    title: 'The database lacks accounts',
    lead: `keydesk.db doesn’t list all accounts of this data folder. ${untouched}`,
  },
  damaged: { title: 'A data file is damaged', lead: untouched },
  unreadable: { title: 'A data file can’t be read', lead: untouched },
  newer: {
    title: 'This data is from a newer Keydesk',
    lead: `This version can’t read it. Start the newer version. ${untouched}`,
  },
  'read-only': {
    title: 'The data folder can’t be written',
    lead: `Allow your user to write in it, then try again. ${untouched}`,
  },
  'disk-full': {
    title: 'This computer’s disk is full',
    lead: 'Free up some space, then try again. Saved data is intact.',
  },
  'update-disk-full': {
    title: 'Not enough disk space for the update',
    lead:
      'Keydesk copies your data before an update changes it. Free up as much space as your data ' +
      'takes, then try again. Nothing was changed.',
  },
  'migration-failed': {
    title: 'This version can’t update your data',
    lead:
      'Restore the data from before the update, quit, and install the previous version. Report the ' +
      'code below. Nothing on the service changed.',
  },
}

export const fileWords: Readonly<Record<CheckedFile['holds'], { name: string; text: string }>> = {
  main: { name: 'Accounts, settings, activity', text: 'The database keydesk.db.' },
  'safety-copy': {
    name: 'Safety copy',
    text: 'Accounts, and how the vault’s key is stored. Repair uses it.',
  },
  journal: {
    name: 'Keys, imports, queued changes',
    text: 'Exist only on this computer.',
  },
  mirror: {
    name: 'Offers, sales, orders',
    text: 'The service has them. Keydesk downloads them again.',
  },
  catalogue: { name: 'Catalogue', text: 'The service has it. Keydesk downloads it again.' },
}

export const stateWords: Readonly<Record<CheckedFile['state'], string>> = {
  checking: 'Checking…',
  ok: 'Intact',
  absent: 'Missing',
  empty: 'Empty',
  truncated: 'Cut off',
  foreign: 'Not a database',
  damaged: 'Damaged',
  newer: 'Newer',
  unreadable: 'Not readable',
}

/** The text and button of each way. */
export const wayWords: Readonly<Record<Way, { name: string; text: string; button: string }>> = {
  'before-update': {
    name: 'Restore the data from before the update',
    text: 'Replaces this data with the copy that Keydesk made. The current data moves to a separate folder.',
    button: 'Restore…',
  },
  repair: {
    name: 'Repair',
    text: 'Rebuilds keydesk.db from its readable records and the safety copy. Activity and settings may be incomplete.',
    button: 'Repair and open',
  },
  retry: {
    name: 'Try again',
    text: 'Opens the data folder again after you fixed the cause.',
    button: 'Try again',
  },
  restore: {
    name: 'Restore a backup',
    text: 'Replaces this data with a backup file. The current data moves to a separate folder.',
    button: 'Choose a backup…',
  },
  'read-only': {
    name: 'Open read-only',
    text: 'View a copy now and decide later. Nothing is synced, saved or sent.',
    button: 'Open read-only',
  },
  export: {
    name: 'Export the readable data',
    text: 'Writes every readable record as CSV files in one zip file. Encrypted keys are left out.',
    button: 'Export…',
  },
}

/** Problems of data that another version of Keydesk wrote. */
const updated: ReadonlySet<RecoveryProblem> = new Set(['newer', 'migration-failed'])

/** The ways that are possible; the first one is recommended. */
export function possibleWays({ can, problem, accounts, beforeUpdate }: RecoveryState): Way[] {
  const canRetry = !can.repair
  const possible: Readonly<Record<Way, boolean>> = {
    'before-update': beforeUpdate !== null && can.restore && updated.has(problem),
    repair: can.repair,
    retry: canRetry,
    restore: can.restore,
    'read-only': can.openReadOnly,
    export: problem !== 'newer' || can.openReadOnly || can.restore,
  }
  const list = ways.filter((way) => possible[way])
  // Without a safety copy, a repair may find no account.
  const isUncertain = can.repair && accounts.length === 0 && problem !== 'damaged'
  return isUncertain ? ['restore', ...list.filter((way) => way !== 'restore')] : list
}
