import {
  type ForwardedRef,
  forwardRef,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { addCents, type Cents, ZERO } from '../../../../../server/api/money.ts'
import type { OutboxEntry } from '../../../../contract/outbox.ts'
import { customerPays } from '../../../lib/commission.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatCents, parseCents } from '../../../ui/format.ts'
import styles from '../outbox.module.css'
import { leadEffect } from '../list/cell-texts.ts'

type Choice = 'mine' | 'theirs' | 'other'

export interface ChoicesHandle {
  /** Submits the chosen option. */
  submit: () => void
  /** Starts entering another price with a digit. */
  type: (digit: string) => void
}

export interface EntryChoicesProps {
  entry: OutboxEntry
  /** The offer's commission, to show the customer price; null if unknown. */
  percent: number | null
  canSend: boolean
  busy: boolean
  onSend: (priceCents?: Cents) => void
  onDiscard: () => void
}

const capitalize = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`

/** Your change, the service's state, or another price: each with its effect. */
export const EntryChoices = forwardRef(function EntryChoices(
  { entry, percent, canSend, busy, onSend, onDiscard: onDrop }: EntryChoicesProps,
  ref: ForwardedRef<ChoicesHandle>,
) {
  const { kind, wanted, present, verdict } = entry
  const [choice, setChoice] = useState<Choice>('mine')
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const group = useId()
  const priced = kind === 'offer-price' || kind === 'offer-new'
  const read = parseCents(text)
  const otherCents =
    'cents' in read && read.cents >= 1 && read.cents <= 10_000_000 ? read.cents : null
  const wrong =
    choice !== 'other' || text === '' || otherCents !== null
      ? null
      : 'wrong' in read
        ? read.wrong
        : 'Enter a price from 0.01 to 100,000.00'
  const ready =
    !busy && (choice === 'theirs' || (canSend && (choice === 'mine' || otherCents !== null)))
  const submit = (): void => {
    if (!ready) return
    if (choice === 'theirs') onDrop()
    else if (choice === 'mine') onSend()
    else if (otherCents !== null) onSend(otherCents)
  }
  useImperativeHandle(ref, () => ({
    submit,
    type(digit) {
      if (!priced || !canSend) return
      setChoice('other')
      setText(digit)
      field.current?.focus()
    },
  }))
  useEffect(() => {
    if (choice === 'other') field.current?.focus()
  }, [choice])
  const effectOf = (cents: Cents | null): string | null => {
    if (cents === null || percent === null) return null
    const customer = customerPays(cents, percent)
    const lead = leadEffect(present, customer)
    return `Customer pays ${formatCents(customer)}.${lead === null ? '' : ` ${capitalize(lead)}`}`
  }
  const mine =
    kind === 'dispute-answer'
      ? 'Your answer'
      : priced
        ? formatCents(wanted.priceCents ?? ZERO)
        : (wanted.status ?? '')
  const theirs =
    present === null || kind === 'dispute-answer'
      ? ''
      : priced
        ? present.priceCents === null
          ? ''
          : formatCents(present.priceCents)
        : (present.status ?? '')
  const lowest =
    present?.customerCents == null || present.leadCents === null
      ? null
      : addCents(present.customerCents, present.leadCents)
  const option = (id: Choice, label: string, value: string, effect: string | null) => (
    <label className={styles.choice}>
      <input type="radio" name={group} checked={choice === id} onChange={() => setChoice(id)} />
      <div>
        <span className={styles.choiceHead}>
          {label}
          <b>{value}</b>
        </span>
        {effect === null ? null : <small>{effect}</small>}
      </div>
    </label>
  )
  const verb =
    choice === 'theirs'
      ? `Keep ${theirs === '' ? 'it is' : theirs}`
      : choice === 'other'
        ? `Send ${otherCents === null ? 'another price' : formatCents(otherCents)}`
        : kind === 'dispute-answer'
          ? 'Send your answer'
          : `Send ${mine}`
  return (
    <>
      {verdict !== 'decide' && !priced ? null : (
        <fieldset className={styles.choices} aria-label="What to do">
          {option(
            'mine',
            'Send mine',
            mine,
            priced
              ? effectOf(wanted.priceCents)
              : kind === 'dispute-answer'
                ? 'It is added after the new messages.'
                : null,
          )}
          {theirs === '' || verdict !== 'decide'
            ? null
            : option(
                'theirs',
                'Keep the service’s',
                theirs,
                priced && present !== null
                  ? (effectOf(present.priceCents) ?? 'Yours is discarded.')
                  : 'Yours is discarded.',
              )}
          {!priced ? null : (
            <OtherPrice
              ref={field}
              group={group}
              isChosen={choice === 'other'}
              onChoose={() => setChoice('other')}
              text={text}
              onText={setText}
              disabled={!canSend}
              wrong={wrong}
              hint={
                effectOf(otherCents) ??
                (lowest === null
                  ? 'You receive this amount per key.'
                  : `The best customer price is now ${formatCents(lowest)}.`)
              }
              onSubmit={submit}
              onCancel={() => {
                setText('')
                setChoice('mine')
              }}
            />
          )}
        </fieldset>
      )}
      <div className={styles.buttons}>
        <Button
          kind="primary"
          wide
          busy={busy}
          disabled={!ready && !busy}
          {...(ready && { keys: ['Enter'] })}
          onClick={submit}
        >
          {verb}
        </Button>
        <Button keys={['Del']} onClick={onDrop}>
          Discard
        </Button>
      </div>
    </>
  )
})

/** The option to send another price than the typed one. */
function OtherPrice({
  ref,
  group,
  isChosen,
  onChoose,
  text,
  onText,
  disabled,
  wrong,
  hint,
  onSubmit,
  onCancel,
}: {
  ref: Ref<HTMLInputElement>
  /** The name of the group of radio buttons. */
  group: string
  isChosen: boolean
  onChoose: () => void
  text: string
  onText: (text: string) => void
  disabled: boolean
  /** Why the text is no price; null if it is one. */
  wrong: string | null
  hint: string
  onSubmit: () => void
  onCancel: () => void
}) {
  return (
    <label className={styles.choice}>
      <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
      <div>
        <span className={styles.choiceHead}>
          Another price
          <span className={styles.other} data-wrong={wrong !== null || undefined}>
            <span aria-hidden>EUR</span>
            <input
              ref={ref}
              inputMode="decimal"
              autoComplete="off"
              aria-label="Another price, EUR"
              aria-invalid={wrong !== null}
              value={text}
              disabled={disabled}
              onFocus={onChoose}
              onChange={(event) => onText(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
                  event.preventDefault()
                  onSubmit()
                }
                if (event.key === 'Escape') {
                  event.stopPropagation()
                  onCancel()
                  event.currentTarget.blur()
                }
              }}
            />
          </span>
        </span>
        {wrong !== null ? (
          <small data-bad role="alert">
            {wrong}
          </small>
        ) : (
          <small>{hint}</small>
        )}
      </div>
    </label>
  )
}
