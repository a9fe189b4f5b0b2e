import { SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  type Cents,
  percentHundredths,
  plainEuros,
  toCents,
} from '../../../../../server/api/money.ts'
import type { Reprice } from '../../../../contract/offers/offer-bulk.ts'
import styles from '../parts.module.css'

type By = Reprice['by']
const choices: { value: By; label: string }[] = [
  { value: 'amount', label: 'By amount' },
  { value: 'percent', label: 'By percent' },
  { value: 'match', label: 'Match best' },
  { value: 'undercut', label: 'Undercut' },
]
const units: Record<By, string> = { amount: 'EUR', percent: '%', match: '', undercut: 'EUR' }
const explained: Record<By, string> = {
  amount: 'added to what you receive',
  percent: 'of what you receive',
  match: 'The customer pays the best price.',
  undercut: 'below the best customer price',
}

/** The number in a text with an optional sign and at most two decimals; null if it isn't one. */
function readSigned(text: string): number | null {
  const bare = text.trim().replace('−', '-').replace(',', '.')
  return /^[+-]?\d{1,6}(\.\d{0,2})?$/.test(bare) ? Number(bare) : null
}

/** Parses a signed amount in EUR; null if it isn't one. Accepts − as minus. */
export function readSignedEuros(text: string): Cents | null {
  const euros = readSigned(text)
  return euros === null ? null : toCents(euros)
}

/** Parses a signed percent into hundredths of a percent; null if it isn't one. */
export function readPercent(text: string): number | null {
  const percent = readSigned(text)
  return percent === null ? null : percentHundredths(percent)
}

/** The rule for a number; null if the number is missing or out of range. */
function ruleOf(by: By, text: string): Reprice | null {
  if (by === 'match') return { by }
  if (by === 'percent') {
    const hundredths = readPercent(text)
    return hundredths === null || hundredths === 0 || hundredths < -9900 || hundredths > 100_000
      ? null
      : { by, hundredths }
  }
  const amount = readSignedEuros(text)
  if (amount === null || amount === 0) return null
  if (by === 'amount') return { by, cents: amount }
  return amount < 1 ? null : { by, cents: amount }
}

const textOf = (rule: Reprice): string =>
  rule.by === 'match'
    ? ''
    : rule.by === 'percent'
      ? (rule.hundredths / 100).toFixed(2)
      : plainEuros(rule.cents)

/**
 * Editor of a repricing rule: by an amount, by a percentage, match the best price, or undercut it.
 * Reports null while it is incomplete.
 */
export function RepriceRule({
  start,
  onChange,
}: {
  start: Reprice
  onChange: (rule: Reprice | null) => void
}) {
  const [by, setBy] = useState<By>(start.by)
  const [text, setText] = useState(textOf(start))
  const choose = (next: By): void => {
    const figure =
      next === 'undercut' ? '0.01' : by === 'undercut' || by === 'match' ? '-1.00' : text
    setBy(next)
    setText(figure)
    onChange(ruleOf(next, figure))
  }
  const type = (next: string): void => {
    setText(next)
    onChange(ruleOf(by, next))
  }
  const wrong = ruleOf(by, text) === null
  return (
    <>
      <SegmentedControl
        aria-label="How prices change"
        value={by}
        data={choices}
        onChange={(value) =>
          choose(choices.find((each) => each.value === value)?.value ?? 'percent')
        }
      />
      {by === 'match' ? null : (
        <TextInput
          className={styles.amount}
          size="md"
          aria-label={by === 'percent' ? 'Percent' : 'Amount in EUR'}
          inputMode="decimal"
          value={text}
          error={wrong}
          data-autofocus
          autoComplete="off"
          rightSection={<span className={styles.of}>{units[by]}</span>}
          rightSectionWidth={44}
          onChange={(event) => type(event.currentTarget.value)}
        />
      )}
      <span className={styles.of}>{explained[by]}</span>
    </>
  )
}
