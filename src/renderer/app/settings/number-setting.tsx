import { NumberInput } from '@mantine/core'
import { useEffect, useState } from 'react'

export interface NumberSettingProps {
  label: string
  value: number
  least: number
  most: number
  unit: string
  onChange: (value: number) => void
}

/**
 * A whole number. Typed text is a draft until Enter or blur, which clamps it to the limits. Esc
 * restores the saved value.
 */
export function NumberSetting({ label, value, least, most, unit, onChange }: NumberSettingProps) {
  const [draft, setDraft] = useState<string | number>(value)
  useEffect(() => setDraft(value), [value])
  const keep = (): void => {
    const whole = typeof draft === 'number' ? draft : Number.parseInt(draft, 10)
    if (!Number.isInteger(whole)) return setDraft(value)
    const within = Math.min(most, Math.max(least, whole))
    setDraft(within)
    if (within !== value) onChange(within)
  }
  return (
    <NumberInput
      aria-label={label}
      w={112}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      suffix={` ${unit}`}
      value={draft}
      onChange={setDraft}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep()
        if (event.key === 'Escape') setDraft(value)
      }}
    />
  )
}
