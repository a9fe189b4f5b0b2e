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
import type { Cents } from '../../../../../server/api/money.ts'
import type { OutboxEntry } from '../../../../contract/outbox.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import styles from '../outbox.module.css'
import {
  type Choice,
  hasPrice,
  otherHint,
  ownEffect,
  ownValue,
  readOtherPrice,
  serviceEffect,
  serviceValue,
  submitLabel,
} from './choice-texts.ts'

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

/** Your change, the service's state, or another price: each with its effect. */
export const EntryChoices = forwardRef(function EntryChoices(
  { entry, percent, canSend, busy, onSend, onDiscard }: EntryChoicesProps,
  ref: ForwardedRef<ChoicesHandle>,
) {
  const { verdict } = entry
  const [choice, setChoice] = useState<Choice>('mine')
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const group = useId()
  const priced = hasPrice(entry)
  const other = readOtherPrice(text)
  const ready =
    !busy && (choice === 'theirs' || (canSend && (choice === 'mine' || other.cents !== null)))
  const submit = (): void => {
    if (!ready) return
    if (choice === 'theirs') onDiscard()
    else if (choice === 'mine') onSend()
    else if (other.cents !== null) onSend(other.cents)
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
  const radio = (id: Choice) => ({
    group,
    isChosen: choice === id,
    onChoose: (): void => setChoice(id),
  })
  return (
    <>
      {verdict !== 'decide' && !priced ? null : (
        <fieldset className={styles.choices} aria-label="What to do">
          <Option
            {...radio('mine')}
            label="Send mine"
            value={ownValue(entry)}
            effect={ownEffect(entry, percent)}
          />
          {serviceValue(entry) === '' || verdict !== 'decide' ? null : (
            <Option
              {...radio('theirs')}
              label="Keep the service’s"
              value={serviceValue(entry)}
              effect={serviceEffect(entry, percent)}
            />
          )}
          {!priced ? null : (
            <OtherPrice
              ref={field}
              {...radio('other')}
              text={text}
              onText={setText}
              disabled={!canSend}
              wrong={choice === 'other' ? other.wrong : null}
              hint={otherHint(entry, other.cents, percent)}
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
          {submitLabel(entry, choice, other.cents)}
        </Button>
        <Button keys={['Del']} onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </>
  )
})

interface RadioProps {
  /** The name of the group of radio buttons. */
  group: string
  isChosen: boolean
  onChoose: () => void
}

/** A choice with its value and, below it, its effect. */
function Option({
  group,
  isChosen,
  onChoose,
  label,
  value,
  effect,
}: RadioProps & { label: string; value: string; effect: string | null }) {
  return (
    <label className={styles.choice}>
      <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
      <div>
        <span className={styles.choiceHead}>
          {label}
          <b>{value}</b>
        </span>
        {effect === null ? null : <small>{effect}</small>}
      </div>
    </label>
  )
}

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
}: RadioProps & {
  ref: Ref<HTMLInputElement>
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
