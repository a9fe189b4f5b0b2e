import { create } from 'zustand'

/** How long a change can be undone, and how many changes the history keeps. */
const KEPT_MS = 24 * 3_600_000
const MOST_CHANGES = 200

/**
 * Resolves to false if it failed and the person has been told why, or to the reason why the change
 * can no longer be undone: "Changed again since". Always a promise, because the result of a
 * reversal that is only started stays unknown.
 */
export type Reversal = () => Promise<unknown>

export interface UndoableChange {
  /** What happened: "Cinderkeep: 4.00 to 3.90". */
  title: string
  undo: Reversal | null
  /** Why it can't be undone, for a change without `undo`: "Keys left the service". */
  reason?: string | null
  /** Makes the change again; null if it can't be repeated. */
  redo?: Reversal | null
}

export interface HistoryEntry extends Required<UndoableChange> {
  id: number
  /** The account that the change belongs to; null before an account is connected. */
  accountId: string | null
  at: number
  state: 'done' | 'undone'
}

interface History {
  /** The account whose changes Ctrl+Z and the history show. */
  accountId: string | null
  /** Of all accounts, newest first. */
  entries: readonly HistoryEntry[]
}

/**
 * The changes of this window that can be undone. Each belongs to an account: nothing outside the
 * account on screen is ever undone.
 */
export const useUndoHistory = create<History>(() => ({ accountId: null, entries: [] }))

let lastId = 0
/** Reversals run one after another, so that each starts from the result of the one before. */
let running: Promise<unknown> = Promise.resolve()

/** Sets the account whose changes Ctrl+Z and the history show. */
export const showHistoryOf = (accountId: string | null): void =>
  useUndoHistory.setState({ accountId })

/** Adds a change to the history. Changes undone before it can no longer be redone with Ctrl+Shift+Z. */
export function recordChange({
  title,
  undo,
  redo = null,
  reason = null,
}: UndoableChange): HistoryEntry {
  const { accountId, entries } = useUndoHistory.getState()
  const now = Date.now()
  const entry: HistoryEntry = {
    id: (lastId += 1),
    accountId,
    at: now,
    state: 'done',
    title,
    undo,
    redo,
    reason,
  }
  useUndoHistory.setState({
    entries: [entry, ...entries.filter(({ at }) => now - at < KEPT_MS)].slice(0, MOST_CHANGES),
  })
  return entry
}

/** Removes a change that can no longer be undone, so that Ctrl+Z reaches the one before it. */
export const forgetChange = (id: number): void =>
  useUndoHistory.setState(({ entries }) => ({
    entries: entries.filter((entry) => entry.id !== id),
  }))

/** The history of the account on screen, newest first. */
export const historyOf = ({ accountId, entries }: History): HistoryEntry[] =>
  entries.filter((entry) => entry.accountId === accountId)

/** The change that Ctrl+Z undoes; null if there is none. */
export const nextToUndo = (history: History): HistoryEntry | null =>
  historyOf(history).find(({ state, undo }) => state === 'done' && undo !== null) ?? null

/**
 * The change that Ctrl+Shift+Z makes again: the one undone last, unless something changed since;
 * null if there is none.
 */
export function nextToRedo(history: History): HistoryEntry | null {
  const mine = historyOf(history)
  const firstDone = mine.findIndex(({ state }) => state === 'done')
  const undone = mine.slice(0, firstDone === -1 ? mine.length : firstDone)
  const last = undone.at(-1)
  return last === undefined || last.redo === null ? null : last
}

function change(id: number, some: Partial<HistoryEntry>): void {
  useUndoHistory.setState(({ entries }) => ({
    entries: entries.map((entry) => (entry.id === id ? { ...entry, ...some } : entry)),
  }))
}

/**
 * Undoes a change, or makes an undone one again, after the reversals that are still running.
 *
 * @returns Whether it succeeded. If not, its state in the history stays as it was.
 */
export function reverse(entry: HistoryEntry): Promise<boolean> {
  const { id, state } = entry
  const action = state === 'done' ? entry.undo : entry.redo
  if (action === null) return Promise.resolve(false)
  change(id, { state: state === 'done' ? 'undone' : 'done' })
  const done = running.then(async () => {
    try {
      const result = await action()
      if (typeof result === 'string') change(id, { undo: null, redo: null, reason: result })
      else if (result !== false) return true
    } catch {
      // The action reported its failure.
    }
    change(id, { state })
    return false
  })
  running = done
  return done
}
