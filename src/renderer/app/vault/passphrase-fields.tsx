import { PasswordInput } from '@mantine/core'
import type { PassphraseEstimate, Strength } from '../../../contract/app/passphrases.ts'
import { strengths } from '../../../contract/app/passphrases.ts'
import { GeneratedWords } from './generated-words.tsx'
import styles from './passphrase-fields.module.css'

const words: Record<Strength, { name: string; meaning: string }> = {
  weak: { name: 'Weak', meaning: 'Guessed within hours. Add words that don’t belong together.' },
  fair: { name: 'Fair', meaning: 'Not enough yet. Add words that don’t belong together.' },
  good: { name: 'Good', meaning: 'Guessing takes years, even with the file in hand.' },
  strong: { name: 'Strong', meaning: 'Guessing takes centuries, even with the file in hand.' },
}

export type ChosenPassphrase = { chosen: string; again: string }

/**
 * Whether a passphrase can be used, as far as the page knows: the core judges it again.
 *
 * @param estimate null while it isn't known
 */
export const isUsable = (
  { chosen, again }: ChosenPassphrase,
  estimate: PassphraseEstimate | null,
): boolean => chosen !== '' && chosen === again && estimate?.isEnough !== false

/** Two fields for a new passphrase, how hard it is to guess, and generated words. */
export function PassphraseFields({
  label,
  given,
  estimate,
  autoFocus,
  onGive,
}: {
  label: string
  given: ChosenPassphrase
  estimate: PassphraseEstimate | null
  autoFocus: boolean
  onGive: (part: Partial<ChosenPassphrase>) => void
}) {
  return (
    <>
      <div>
        <PasswordInput
          size="md"
          label={label}
          autoComplete="new-password"
          data-autofocus={autoFocus || undefined}
          value={given.chosen}
          onChange={(event) => onGive({ chosen: event.currentTarget.value })}
        />
        <Meter estimate={given.chosen === '' ? null : estimate} />
      </div>
      <PasswordInput
        size="md"
        label="Repeat passphrase"
        autoComplete="new-password"
        value={given.again}
        onChange={(event) => onGive({ again: event.currentTarget.value })}
        error={
          given.again !== '' && given.again !== given.chosen
            ? 'The passphrases don’t match'
            : undefined
        }
      />
      <GeneratedWords onUse={(chosen) => onGive({ chosen, again: chosen })} />
    </>
  )
}

/** Four steps and the word for the one that is reached. */
function Meter({ estimate }: { estimate: PassphraseEstimate | null }) {
  const reached = estimate === null ? -1 : strengths.indexOf(estimate.strength)
  return (
    <div className={styles.meter} data-strength={estimate?.strength}>
      <div className={styles.steps} aria-hidden>
        {strengths.map((strength, index) => (
          <span key={strength} data-on={index <= reached || undefined} />
        ))}
      </div>
      <p aria-live="polite">
        {estimate === null ? (
          'Three or more words that don’t belong together are hard to guess.'
        ) : (
          <>
            <b>{words[estimate.strength].name}</b>, about {estimate.bits} bits.{' '}
            {words[estimate.strength].meaning}
          </>
        )}
      </p>
    </div>
  )
}
