import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'
import { KeyCap } from '../../../ui/controls/buttons/key-cap.tsx'
import { pointerMoved } from '../../../ui/hooks/pointer-moved.ts'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { addToOrder } from './add-to-order.ts'
import { maxLines } from './basket.ts'
import styles from '../orders.module.css'
import { formatEur } from '../../../ui/format.ts'

/**
 * The hit that Enter adds: the first one, or the one that was moved to. It stays the same product
 * when the hits of a text change their order.
 */
function useActiveHit(
  rows: readonly { productId: string }[],
  query: string,
  isOfLastQuery: boolean,
): { at: number; setAt: (index: number) => void } {
  const [active, setActive] = useState({ query: '', productId: '' })
  const isChosen = active.query === query
  const found = rows.findIndex(({ productId }) => isChosen && productId === active.productId)
  const setAt = (index: number): void => {
    const row = rows[index]
    if (row !== undefined) setActive({ query, productId: row.productId })
  }
  const firstId = isChosen || isOfLastQuery ? undefined : rows[0]?.productId
  useEffect(() => {
    if (firstId !== undefined) setActive({ query, productId: firstId })
  }, [firstId, query])
  return { at: Math.max(0, found), setAt }
}

/** Adds a product to the order after a search for part of its name. */
export function ProductPicker({ full, autoFocus }: { full: boolean; autoFocus: boolean }) {
  const { id: accountId } = useAccount()
  const [query, setQuery] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const found = useQuery({
    ...api.catalogue.search.queryOptions({
      input: { accountId, filter: { query }, window: { offset: 0, limit: 8 } },
    }),
    enabled: query.trim() !== '',
    placeholderData: keepPreviousData,
  })
  const rows = query.trim() === '' ? [] : (found.data?.rows ?? [])
  const { at, setAt } = useActiveHit(rows, query, found.isPlaceholderData)
  useShortcut('A', () => input.current?.focus())
  const choose = (index: number): void => {
    const row = rows[index]
    if (row === undefined || !addToOrder(accountId, row)) return
    setQuery('')
    input.current?.focus()
  }
  return (
    <div className={styles.add}>
      <div className={styles.addField}>
        <IconPlus size={16} stroke={1.6} aria-hidden />
        <input
          ref={input}
          autoFocus={autoFocus}
          value={query}
          disabled={full}
          placeholder={
            full
              ? `An order has at most ${maxLines} lines`
              : `Add a product, up to ${maxLines} lines`
          }
          role="combobox"
          aria-label="Add a product"
          aria-expanded={rows.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={rows[at] === undefined ? undefined : `${listId}-${at}`}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') {
              event.preventDefault()
              setAt(Math.min(rows.length - 1, at + 1))
            }
            if (event.key === 'ArrowUp') {
              event.preventDefault()
              setAt(Math.max(0, at - 1))
            }
            if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
              event.preventDefault()
              choose(at)
            }
            if (event.key === 'Escape') {
              event.stopPropagation()
              if (query === '') event.currentTarget.blur()
              else setQuery('')
            }
          }}
        />
        <KeyCap name="A" />
      </div>
      {query.trim() !== '' && found.data !== undefined ? (
        <ul className={styles.found} role="listbox" id={listId} aria-label="Products found">
          {rows.map((row, index) => (
            <li
              key={row.productId}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === at}
              onPointerMove={pointerMoved(() => setAt(index))}
              onMouseDown={(event) => {
                event.preventDefault()
                choose(index)
              }}
            >
              <b>{row.name}</b>
              <span className={styles.grey}>{variantLabel(row)}</span>
              <span>
                {row.inStock === false
                  ? 'out of stock'
                  : row.priceCents === null
                    ? ''
                    : formatEur(row.priceCents)}
              </span>
            </li>
          ))}
          {rows.length === 0 ? (
            <li role="option" aria-selected={false} aria-disabled>
              No matching products.
            </li>
          ) : null}
        </ul>
      ) : null}
    </div>
  )
}
