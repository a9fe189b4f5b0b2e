import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { Account } from '../../../contract/accounts.ts'
import { formatCount } from '../../ui/format.ts'
import { KeyCap, KeyCaps } from '../../ui/key-cap.tsx'
import { setScreen, useScreen } from '../screen-store.ts'
import { groupOrder, type PaletteItem, pieces } from './items.ts'
import styles from './palette.module.css'
import { useResults } from './use-results.ts'

const close = (): void => setScreen({ palette: false })

/** Ctrl+K: products, own offers or orders, actions and pages, in one frame. */
export function Palette({ account, accounts }: { account: Account; accounts: readonly Account[] }) {
  const opened = useScreen((screen) => screen.palette)
  return (
    <Modal.Root opened={opened} onClose={close} size={660} padding={0} radius="xl" yOffset={84} centered={false} transitionProps={{ duration: 0 }} returnFocus>
      <Modal.Overlay />
      <Modal.Content aria-label="Search and act">{opened ? <Inside account={account} accounts={accounts} /> : null}</Modal.Content>
    </Modal.Root>
  )
}

function Inside({ account, accounts }: { account: Account; accounts: readonly Account[] }) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const { items, guessed, elapsedMs } = useResults(account, accounts, typed, true)
  const ordered = groupOrder.flatMap((group) => items.filter((item) => item.group === group))
  const query = guessed ?? (typed.startsWith('>') ? typed.slice(1) : typed)
  const chosen = ordered[Math.min(at, ordered.length - 1)]
  useEffect(() => setAt(0), [typed])
  useEffect(() => { list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }) }, [chosen?.id])
  const run = (item: PaletteItem | undefined): void => {
    if (item === undefined) return
    close()
    item.run()
  }
  return (
    <div className={styles.palette}>
      <div className={styles.field}>
        <IconSearch size={18} stroke={1.6} aria-hidden />
        <input
          data-autofocus role="combobox" aria-expanded aria-controls={`${id}-list`} aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.id}`} aria-label="Search products, offers, orders and actions"
          autoComplete="off" spellCheck={false} value={typed} placeholder={account.role === 'seller' ? 'Search products, offers, actions' : 'Search products, orders, actions'}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
              event.preventDefault()
              const by = event.key === 'ArrowDown' ? 1 : -1
              setAt((now) => (ordered.length === 0 ? 0 : (Math.min(now, ordered.length - 1) + by + ordered.length) % ordered.length))
            }
            if (event.key === 'Enter') { event.preventDefault(); run(chosen) }
          }}
        />
        <KeyCap name="Esc" />
      </div>
      <div ref={list} className={styles.list} role="listbox" id={`${id}-list`} aria-label="Results">
        {groupOrder.map((group) => {
          const members = ordered.filter((item) => item.group === group)
          if (members.length === 0) return null
          return (
            <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
              <div className={styles.group}><span id={`${id}-${group}`}>{group}</span>{group === 'Products' && guessed !== null ? <span>close to “{guessed}”</span> : null}</div>
              {members.map((item) => <Row key={item.id} id={`${id}-${item.id}`} item={item} query={query} on={item === chosen} onPick={() => run(item)} onPoint={() => setAt(ordered.indexOf(item))} />)}
            </div>
          )
        })}
        {ordered.length === 0 ? <p className={styles.none}>Nothing fits “{typed}”. The catalogue, your offers and orders, actions and pages were searched.</p> : null}
      </div>
      <div className={styles.foot}>
        <span><KeyCap name="↑" /><KeyCap name="↓" /> move</span><span><KeyCap name="Enter" /> open</span><span><KeyCap name=">" /> actions only</span>
        <span className={styles.count} role="status">{formatCount(ordered.length)} {ordered.length === 1 ? 'result' : 'results'}{elapsedMs === null ? '' : `, ${Math.max(1, Math.round(elapsedMs))} ms`}</span>
      </div>
    </div>
  )
}

function Row({ id, item, query, on, onPick, onPoint }: { id: string; item: PaletteItem; query: string; on: boolean; onPick: () => void; onPoint: () => void }) {
  const Icon = item.icon
  return (
    <button type="button" tabIndex={-1} id={id} role="option" aria-selected={on} className={styles.row} onClick={onPick} onPointerMove={on ? undefined : onPoint}>
      <Icon size={16} stroke={1.6} aria-hidden />
      <span className={styles.name}>{pieces(item.name, query).map((piece, index) => (piece.hit ? <b key={index}>{piece.text}</b> : piece.text))}</span>
      {item.detail === undefined ? null : <span className={styles.detail}>{item.detail}</span>}
      <span className={styles.end}>{item.end}</span>
      {item.keys === undefined ? null : <KeyCaps keys={item.keys} tight />}
      {on && item.keys === undefined ? <KeyCap name="Enter" /> : null}
    </button>
  )
}
