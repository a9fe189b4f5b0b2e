import { t } from '../../../contract/localization/localized.ts'
import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Account } from '../../../contract/app/accounts.ts'
import { useOpenDialog } from '../../ui/hooks/dialog-stack.ts'
import { type EarlyTyping, keepTyping } from '../../ui/hooks/early-typing.ts'
import { pointerMoved } from '../../ui/hooks/pointer-moved.ts'
import { KeyCap, KeyCaps } from '../../ui/controls/buttons/key-cap.tsx'
import { setScreen, useScreen } from '../shell/screen-store.ts'
import {
  groupOrder,
  indexIn,
  type PaletteItem,
  splitName,
  type RowPosition,
  positionOf,
} from './items.ts'
import styles from './palette.module.css'
import { type RowActions, useRowActions } from './use-row-actions.ts'
import { useResults } from './use-results.ts'

/** The record types people can find, by role. */
export const placeholderOf = ({ role }: Account): string =>
  role === 'seller'
    ? 'Search products, offers, sales, disputes'
    : 'Search products, orders, keys, claims'

const close = (): void => setScreen({ palette: false })

/** Ctrl+K: all records of the current account, actions and pages in one dialog. */
export function Palette({ account, accounts }: { account: Account; accounts: readonly Account[] }) {
  const opened = useScreen((screen) => screen.palette)
  const rowActions = useRowActions(account)
  useOpenDialog(opened)
  const early = useRef<EarlyTyping>(null)
  // The field has the focus only after the next frames.
  useLayoutEffect(() => {
    if (!opened) return
    const kept = keepTyping()
    early.current = kept
    return () => kept.stop()
  }, [opened])
  return (
    <Modal.Root
      opened={opened}
      onClose={close}
      size={660}
      padding={0}
      radius="xl"
      yOffset={84}
      centered={false}
      transitionProps={{ duration: 0 }}
      returnFocus
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Search or run an action">
        {opened ? (
          <PaletteContent
            account={account}
            accounts={accounts}
            rowActions={rowActions}
            takeEarly={() => {
              const text = early.current?.take() ?? ''
              early.current?.stop()
              return text
            }}
          />
        ) : null}
      </Modal.Content>
    </Modal.Root>
  )
}

function PaletteContent({
  account,
  accounts,
  rowActions,
  takeEarly,
}: {
  account: Account
  accounts: readonly Account[]
  rowActions: RowActions
  /** Returns the letters typed before the field had the focus; later keys go to the field. */
  takeEarly: () => string
}) {
  const [typed, setTyped] = useState('')
  /**
   * The row that Enter opens. It is tracked by id, so that rows added above it don't move the
   * selection, and by index once the row is gone. Null: the first row.
   */
  const [at, setAt] = useState<RowPosition | null>(null)
  /** The row whose actions are shown instead of the results. */
  const [of, setOf] = useState<PaletteItem | null>(null)
  /**
   * Enter was pressed before the search finished. It opens the first final result, never a result
   * of an earlier query.
   */
  const [due, setDue] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const results = useResults(account, accounts, typed, rowActions)
  const { guessed, elapsedMs } = results
  const settled = of !== null || results.settled
  const items = of?.actions ?? results.items
  const ordered = groupOrder.flatMap((group) => items.filter((item) => item.group === group))
  const query = guessed ?? (typed.startsWith('>') ? typed.slice(1) : typed)
  const chosen = ordered[indexIn(ordered, at)]
  // With the text and not after it: Enter right after a letter would open a row chosen before.
  const type = (text: string): void => {
    setTyped(text)
    setAt(null)
    setOf(null)
    setDue(false)
  }
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen?.id])
  const show = (item: PaletteItem | null): void => {
    setOf(item)
    setAt(null)
  }
  const run = (item: PaletteItem | undefined): void => {
    if (item === undefined) return
    close()
    item.run()
  }
  useEffect(() => {
    if (!due || !settled || chosen === undefined) return
    close()
    chosen.run()
  }, [due, settled, chosen])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const by = event.key === 'ArrowDown' ? 1 : -1
      setAt((now) =>
        positionOf(ordered, (indexIn(ordered, now) + by + ordered.length) % ordered.length),
      )
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      if (settled || at !== null) run(chosen)
      else setDue(true)
    }
    if (event.key === 'Tab') {
      event.preventDefault()
      if (of !== null) show(null)
      else if (!event.shiftKey && (chosen?.actions?.length ?? 0) > 0) show(chosen ?? null)
    }
  }
  return (
    <div className={styles.palette}>
      <div className={styles.field}>
        <IconSearch size={18} stroke={1.6} aria-hidden />
        <input
          data-autofocus
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.id}`}
          aria-label={placeholderOf(account)}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          placeholder={placeholderOf(account)}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onFocus={() => {
            const early = takeEarly()
            if (early !== '') type(early + typed)
          }}
        />
        <span className={styles.scope}>
          {of?.name ?? (typed.startsWith('>') ? 'Actions' : 'Everywhere')}
        </span>
        <KeyCap name="Esc" />
      </div>
      <div
        ref={list}
        className={styles.list}
        role="listbox"
        id={`${id}-list`}
        aria-label="Results"
        aria-busy={!settled}
      >
        {groupOrder.map((group) => (
          <Group
            key={group}
            id={id}
            group={group}
            members={ordered.filter((item) => item.group === group)}
            chosen={chosen}
            query={query}
            guessed={group === 'Products' ? guessed : null}
            onPick={run}
            onPoint={(item) => setAt(positionOf(ordered, ordered.indexOf(item)))}
          />
        ))}
        {ordered.length === 0 ? <NoResults typed={typed} role={account.role} /> : null}
      </div>
      <Footer showsActions={of !== null} count={ordered.length} elapsedMs={elapsedMs} />
    </div>
  )
}

function NoResults({ typed, role }: { typed: string; role: Account['role'] }) {
  return (
    <p className={styles.none}>
      No matches for “{typed}”.{' '}
      {role === 'seller'
        ? 'Searched the catalogue, offers, sales, disputes, actions and pages.'
        : 'Searched the catalogue, orders, keys, claims, actions and pages.'}
    </p>
  )
}

function Group({
  id,
  group,
  members,
  chosen,
  query,
  guessed,
  onPick,
  onPoint,
}: {
  id: string
  group: PaletteItem['group']
  members: readonly PaletteItem[]
  chosen: PaletteItem | undefined
  query: string
  guessed: string | null
  onPick: (item: PaletteItem) => void
  onPoint: (item: PaletteItem) => void
}) {
  if (members.length === 0) return null
  // A space would split the id into two.
  const headId = `${id}-${group.replaceAll(' ', '-')}`
  return (
    <div role="group" aria-labelledby={headId}>
      <div className={styles.group}>
        <span id={headId}>{group}</span>
        {guessed === null ? null : <span>similar to “{guessed}”</span>}
      </div>
      {members.map((item) => (
        <Row
          key={item.id}
          id={`${id}-${item.id}`}
          item={item}
          query={query}
          on={item === chosen}
          onPick={() => onPick(item)}
          onPoint={() => onPoint(item)}
        />
      ))}
    </div>
  )
}

function Footer({
  showsActions,
  count,
  elapsedMs,
}: {
  showsActions: boolean
  count: number
  elapsedMs: number | null
}) {
  return (
    <div className={styles.foot}>
      <span>
        <KeyCap name="↑" />
        <KeyCap name="↓" /> move
      </span>
      <span>
        <KeyCap name="Enter" /> open
      </span>
      <span>
        <KeyCap name="Tab" /> {showsActions ? 'back to results' : 'row actions'}
      </span>
      <span>
        <KeyCap name=">" /> actions only
      </span>
      <span className={styles.count} role="status">
        {t('counts.results', { count })}
        {elapsedMs === null ? '' : `, ${Math.max(1, Math.round(elapsedMs))} ms`}
      </span>
    </div>
  )
}

function Row({
  id,
  item,
  query,
  on,
  onPick,
  onPoint,
}: {
  id: string
  item: PaletteItem
  query: string
  on: boolean
  onPick: () => void
  onPoint: () => void
}) {
  const Icon = item.icon
  return (
    <button
      type="button"
      tabIndex={-1}
      id={id}
      role="option"
      aria-selected={on}
      className={styles.row}
      onClick={onPick}
      onPointerMove={pointerMoved(() => {
        if (!on) onPoint()
      })}
    >
      <Icon size={16} stroke={1.6} aria-hidden />
      <span className={styles.name}>
        {splitName(item.name, query).map((piece, index) =>
          piece.hit ? <b key={index}>{piece.text}</b> : piece.text,
        )}
      </span>
      {item.detail === undefined ? null : <span className={styles.detail}>{item.detail}</span>}
      <span className={styles.end}>{item.end}</span>
      {item.keys === undefined ? null : <KeyCaps keys={item.keys} tight />}
      {on && item.keys === undefined ? <KeyCap name="Enter" /> : null}
    </button>
  )
}
