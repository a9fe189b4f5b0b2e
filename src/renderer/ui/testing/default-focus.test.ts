import { expect, test } from 'vitest'
import { type ButtonSource, buttonsOf, components } from './sources.ts'

/** Words that begin the label of a button that pays, deletes, exports or sends. */
const acting = new RegExp(
  `^(?:${[
    'Pay|Place|Order|Buy|Delete|Remove|Discard|Drop|Export|Save|Download|Withdraw|Refund',
    'Send|Upload|Replace|Reset|Restore|Raise|Apply|Confirm',
  ].join('|')})\\b`,
)

const takesFocus = ({ props }: ButtonSource): boolean =>
  /\b(?:autoFocus|data-autofocus)\b/.test(props)

test('gives the first focus to no button that pays, deletes, exports or sends', () => {
  const focused = components.flatMap(({ name, text }) =>
    buttonsOf(text)
      .filter(takesFocus)
      .map(({ label }) => ({ name, label })),
  )
  // Without a match, the pattern no longer reads the sources.
  expect(focused.length).toBeGreaterThan(15)
  expect(focused.filter(({ label }) => acting.test(label))).toEqual([])
})

test('opens every dialog with the focus on a field, on its text, or on the button that closes it', () => {
  const dialogs = components.filter(({ text }) => /<Dialog\b/.test(text))
  expect(dialogs.length).toBeGreaterThan(20)
  // Without a mark, the first control gets the focus: the button in the dialog's corner, a field of
  // its content, or the first of its buttons.
  const unmarked = dialogs.filter(
    ({ text }) => !/data-autofocus|autoFocus|\bclosable\b|<\w+Field\b/.test(text),
  )
  const acts = unmarked.flatMap(({ name, text }) => {
    const [first] = buttonsOf(text.slice(text.indexOf('actions={')))
    if (first === undefined || /\['Esc'\]|onClick=\{(?:onClose|close)\}/.test(first.props))
      return []
    return [{ name, label: first.label }]
  })
  expect(acts).toEqual([])
})
