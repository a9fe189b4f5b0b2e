import { Menu } from '@mantine/core'
import { IconChevronDown, IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './filter-chip.module.css'

/** An active filter: "Platform is **Steam** ×". */
export function FilterChip({
  label,
  value,
  onRemove,
}: {
  label?: string
  value: ReactNode
  onRemove: () => void
}) {
  const name = `Remove the filter ${label ?? ''} ${typeof value === 'string' ? value : ''}`
    .replace(/\s+/g, ' ')
    .trim()
  return (
    <span className={styles.chip}>
      {label === undefined ? null : <span>{label}</span>}
      <b>{value}</b>
      <button type="button" aria-label={name} onClick={onRemove}>
        <IconX size={12} stroke={1.8} aria-hidden />
      </button>
    </span>
  )
}

/**
 * A filter with its choices in a menu: "Platform is **any** ⌄". Allows any number of values; no
 * value means any.
 */
export function ChoiceChip({
  label,
  values,
  chosen,
  onChange,
}: {
  label: string
  values: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const shown =
    chosen.length === 0
      ? 'any'
      : chosen.length <= 2
        ? chosen.join(' or ')
        : `${chosen.length} of ${values.length}`
  return (
    <Menu closeOnItemClick={false} position="bottom-start" offset={4}>
      <Menu.Target>
        <button type="button" className={styles.choice}>
          <span>{label} is</span>
          <b>{shown}</b>
          <IconChevronDown size={13} stroke={1.8} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.Item disabled={chosen.length === 0} onClick={() => onChange([])}>
          Any
        </Menu.Item>
        {values.map((value) => {
          const on = chosen.includes(value)
          return (
            <Menu.CheckboxItem
              key={value}
              checked={on}
              onChange={() =>
                onChange(on ? chosen.filter((other) => other !== value) : [...chosen, value])
              }
            >
              {value}
            </Menu.CheckboxItem>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The dashed "+ Filter" button. */
export function AddFilter({ onClick, label = 'Filter' }: { onClick: () => void; label?: string }) {
  return (
    <button type="button" className={styles.add} onClick={onClick}>
      <IconPlus size={13} stroke={1.8} aria-hidden />
      {label}
    </button>
  )
}
