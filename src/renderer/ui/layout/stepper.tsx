import { IconCheck } from '@tabler/icons-react'
import styles from './stepper.module.css'

/**
 * Steps next to a page's title. `current` is the index of the current step. With `onStep`, people
 * can go back to earlier ones.
 */
export function Stepper({
  steps,
  current,
  onStep,
}: {
  steps: readonly string[]
  current: number
  onStep?: (index: number) => void
}) {
  return (
    <ol className={styles.steps} aria-label="Steps">
      {steps.map((step, index) => {
        const state = index < current ? 'done' : index === current ? 'now' : 'next'
        const content = (
          <>
            <i aria-hidden>{state === 'done' ? <IconCheck size={13} stroke={2} /> : index + 1}</i>
            <span>{step}</span>
            {state === 'done' ? <span className="kd-hidden">done</span> : null}
          </>
        )
        return (
          <li
            key={step}
            className={styles[state]}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            {state === 'done' && onStep !== undefined ? (
              <button type="button" onClick={() => onStep(index)}>
                {content}
              </button>
            ) : (
              <div>{content}</div>
            )}
          </li>
        )
      })}
    </ol>
  )
}
