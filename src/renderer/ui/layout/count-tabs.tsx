import { formatCount } from '../format.ts'
import styles from './count-tabs.module.css'

export interface CountTab<Id extends string> {
  id: Id
  label: string
  count?: number | null
}

/** Tabs for the views of a list, next to the page's title: "All 1,284 · Not cheapest 37". */
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
  return (
    <div className={styles.tabs} role="group" aria-label={label}>
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
