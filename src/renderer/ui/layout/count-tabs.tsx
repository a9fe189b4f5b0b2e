import { useEffect, useRef } from 'react'
import { formatCount } from '../format.ts'
import styles from './count-tabs.module.css'

export interface CountTab<Id extends string> {
  id: Id
  label: string
  count?: number | null
}

/**
 * Tabs for the views of a list, next to the page's title: "All 1,284 · Not cheapest 37". Where they
 * don't fit, they scroll, and the chosen tab is in the middle, so that its neighbors can be reached.
 */
export function CountTabs<Id extends string>({
  tabs,
  value,
  onChange,
  label,
}: {
  tabs: readonly CountTab<Id>[]
  value: Id
  onChange: (id: Id) => void
  label: string
}) {
  const group = useRef<HTMLDivElement>(null)
  useEffect(() => {
    group.current
      ?.querySelector('[aria-pressed="true"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [value])
  return (
    <div
      ref={group}
      className={styles.tabs}
      role="group"
      aria-label={label}
      onWheel={(event) => {
        event.currentTarget.scrollLeft += event.deltaY
      }}
    >
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          aria-pressed={tab.id === value}
          className={styles.tab}
          onClick={() => onChange(tab.id)}
        >
          {tab.label}
          {tab.count === undefined || tab.count === null ? null : (
            <span>{formatCount(tab.count)}</span>
          )}
        </button>
      ))}
    </div>
  )
}
