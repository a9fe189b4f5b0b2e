import { TextInput } from '@mantine/core'
import { useEffect, useId, useState } from 'react'
import type { DisputeDetail, KeyCheck } from '../../../../contract/disputes/dispute-records.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import styles from './settle.module.css'
import { findingWords } from '../words.ts'

const CHECK_AFTER_MS = 150
const warnings: readonly KeyCheck['findings'][number][] = ['odd-shape', 'cleaned', 'confusable']

/** Checks a typed key shortly after each change; null for an empty one. */
export function useKeyCheck(
  { accountId, disputeId }: Pick<DisputeDetail, 'accountId' | 'disputeId'>,
  key: string,
): KeyCheck | null {
  const [check, setCheck] = useState<KeyCheck | null>(null)
  useEffect(() => {
    if (key.trim() === '') return setCheck(null)
    let late = false
    const timer = setTimeout(() => {
      void rpc.disputes.checkKey({ accountId, disputeId, key }).then(
        (found) => {
          if (!late) setCheck(found)
        },
        () => {},
      )
    }, CHECK_AFTER_MS)
    return () => {
      late = true
      clearTimeout(timer)
    }
  }, [accountId, disputeId, key])
  return check
}

/** The field for a replacement key, with the findings of its check. */
export function TypedKey({
  value,
  check,
  onChange,
}: {
  value: string
  check: KeyCheck | null
  onChange: (key: string) => void
}) {
  const field = useId()
  return (
    <div className={styles.typedKey}>
      <label htmlFor={field}>Key for the customer</label>
      <TextInput
        id={field}
        size="md"
        value={value}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <ul aria-live="polite">
        {check?.findings.map((finding) => (
          <li
            key={finding}
            data-blocks={(check.blocked && !warnings.includes(finding)) || undefined}
          >
            {findingWords[finding]}
          </li>
        )) ?? null}
        {check !== null && check.findings.length === 0 ? (
          <li data-ok>New for this product, and its format looks right.</li>
        ) : null}
      </ul>
    </div>
  )
}
