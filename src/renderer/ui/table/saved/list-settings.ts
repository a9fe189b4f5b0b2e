import { useCallback, useMemo } from 'react'
import { create } from 'zustand'

/**
 * One part of a list's filters and sort order: its default, and a check whether a saved value still
 * fits.
 */
export type ListSetting<T> = { start: T; fits: (kept: unknown) => kept is T }
export type ListSettings<Look> = { readonly [Name in keyof Look]: ListSetting<Look[Name]> }

type Kept = Readonly<Record<string, unknown>>

/** Filters and sort order of lists, by {@link listSettingsId}. */
export const useListSettingsStore = create<{ looks: Record<string, Kept> }>(() => ({ looks: {} }))

/**
 * The id of a list's filters. They belong to an account too, because platforms and views differ by
 * account.
 */
export const listSettingsId = (tableId: string, accountId: string): string =>
  `${tableId}@${accountId}`
/** The account whose filters of this table they are; null for another table's. */
export const accountOfListSettings = (tableId: string, id: string): string | null =>
  id.startsWith(`${tableId}@`) ? id.slice(tableId.length + 1) : null
export const isListSettingsId = (id: string): boolean => id.includes('@')

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses saved filters; returns nothing if they can't be read. */
export function parseListSettings(kept: string): Kept {
  try {
    const found: unknown = JSON.parse(kept)
    return isRecord(found) ? found : {}
  } catch {
    return {}
  }
}

/**
 * Restores the saved filters part by part. Each part that no longer fits falls back to its default.
 */
export function validListSettings<Look>(parts: ListSettings<Look>, kept: Kept): Look {
  const fitting = Object.fromEntries(
    Object.entries<ListSetting<unknown>>(parts).map(([name, part]) => [
      name,
      part.fits(kept[name]) ? kept[name] : part.start,
    ]),
  )
  return fitting as Look
}

/**
 * Filters and sort order of an account's list, remembered across pages and restarts. Search text
 * isn't included, because someone may have pasted a key. Keep `parts` stable (module scope).
 */
export function useListSettings<Look>(
  tableId: string,
  accountId: string,
  parts: ListSettings<Look>,
): [Look, (change: Partial<Look>) => void] {
  const id = listSettingsId(tableId, accountId)
  const kept = useListSettingsStore((state) => state.looks[id])
  const look = useMemo(() => validListSettings(parts, kept ?? {}), [parts, kept])
  const change = useCallback(
    (some: Partial<Look>) =>
      useListSettingsStore.setState(({ looks }) => ({
        looks: { ...looks, [id]: { ...looks[id], ...some } },
      })),
    [id],
  )
  return [look, change]
}

/** Opens a list with these filters, and its defaults for all others. */
export function setListSettings(tableId: string, accountId: string, look: Kept): void {
  useListSettingsStore.setState(({ looks }) => ({
    looks: { ...looks, [listSettingsId(tableId, accountId)]: look },
  }))
}

/** One of a fixed set of words. */
export const oneOf = <const Word extends string>(
  words: readonly Word[],
  start: Word,
): ListSetting<Word> => ({
  start,
  fits: (kept): kept is Word => words.some((word) => word === kept),
})

/** Any words, such as platforms; limited to the given list if there is one. */
export const wordsOf = <const Word extends string = string>(
  list?: readonly Word[],
): ListSetting<Word[]> => ({
  start: [],
  fits: (kept): kept is Word[] =>
    Array.isArray(kept) &&
    kept.every(
      (each) =>
        typeof each === 'string' && (list === undefined || list.some((word) => word === each)),
    ),
})

/** A moment in milliseconds since 1970; null: never. */
export const moment: ListSetting<number | null> = {
  start: null,
  fits: (kept): kept is number | null => kept === null || typeof kept === 'number',
}

/** On or off; off by default. */
export const flag: ListSetting<boolean> = {
  start: false,
  fits: (kept) => typeof kept === 'boolean',
}

/** A column and a direction. */
export function sortedBy<const Column extends string>(
  columns: readonly Column[],
  column: NoInfer<Column>,
  direction: 'asc' | 'desc',
): ListSetting<{ column: Column; direction: 'asc' | 'desc' }> {
  return {
    start: { column, direction },
    fits: (kept): kept is { column: Column; direction: 'asc' | 'desc' } =>
      isRecord(kept) &&
      columns.some((each) => each === kept['column']) &&
      (kept['direction'] === 'asc' || kept['direction'] === 'desc'),
  }
}
