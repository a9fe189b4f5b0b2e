import { Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatCount } from '../format.ts'
import styles from './count-tabs.module.css'
import { fittingTabs } from './fitting-tabs.ts'

export interface CountTab<Id extends string> {
  id: Id
  label: string
  count?: number | null
}

/**
 * Tabs for the views of a list, next to the page's title: "All 1,284 · Not cheapest 37". Those that
 * don't fit are in a menu after the others; the chosen tab is always visible.
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
  const isShown = useShownTabs(group, tabs, value)
  const others = tabs.filter((tab) => !isShown(tab.id))
  return (
    <div ref={group} className={styles.tabs} role="group" aria-label={label}>
      {tabs.map((tab) =>
        isShown(tab.id) ? (
          <button
            key={tab.id}
            type="button"
            aria-pressed={tab.id === value}
            className={styles.tab}
            onClick={() => onChange(tab.id)}
          >
            <TabText tab={tab} />
          </button>
        ) : null,
      )}
      {others.length === 0 ? null : (
        <Menu position="bottom-start" offset={4}>
          <Menu.Target>
            <button type="button" className={styles.tab} data-more aria-label={`More: ${label}`}>
              More
              <IconChevronDown size={14} stroke={1.6} aria-hidden />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((tab) => (
              <Menu.Item key={tab.id} className={styles.other} onClick={() => onChange(tab.id)}>
                <TabText tab={tab} />
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}

function TabText({ tab: { label, count } }: { tab: CountTab<string> }) {
  return (
    <>
      {label}
      {count === undefined || count === null ? null : <span>{formatCount(count)}</span>}
    </>
  )
}

/**
 * Which tabs fit beside each other. They are measured together, before the browser draws them,
 * whenever their texts or the space for them change.
 */
function useShownTabs(
  group: RefObject<HTMLDivElement | null>,
  tabs: readonly CountTab<string>[],
  value: string,
): (id: string) => boolean {
  const [shown, setShown] = useState<ReadonlySet<string> | null>(null)
  // Digits are equally wide, so that most changes of a count change no width.
  const texts = JSON.stringify([
    value,
    tabs.map(({ id, label, count }) => [id, label, formatCount(count ?? 0).length, count == null]),
  ])
  const measured = useRef(texts)
  if (measured.current !== texts && shown !== null) setShown(null)
  useLayoutEffect(() => {
    const row = group.current
    if (shown !== null || row === null) return
    const widths = [...row.children].map((tab) => tab.getBoundingClientRect().width)
    const { paddingLeft, paddingRight } = getComputedStyle(row)
    const space =
      row.getBoundingClientRect().width -
      Number.parseFloat(paddingLeft) -
      Number.parseFloat(paddingRight)
    const fitting = fittingTabs(
      widths,
      tabs.findIndex(({ id }) => id === value),
      space,
    )
    measured.current = texts
    setShown(new Set(fitting.flatMap((index) => tabs[index]?.id ?? [])))
  }, [group, shown, tabs, texts, value])
  useEffect(() => {
    const row = group.current
    if (row === null || row.parentElement === null) return
    const measure = (): void => setShown(null)
    const sizes = new ResizeObserver(measure)
    sizes.observe(row)
    sizes.observe(row.parentElement)
    void document.fonts.ready.then(measure)
    return () => sizes.disconnect()
  }, [group])
  return (id: string): boolean => shown === null || shown.has(id)
}
