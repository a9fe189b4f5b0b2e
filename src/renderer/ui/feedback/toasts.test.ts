import { notificationsStore } from '@mantine/notifications'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Problem } from '../../../contract/base.ts'
import { problemCodes } from '../../../contract/problem-codes.ts'
import type { ProblemCode } from '../../../contract/problem-codes.ts'
import { causeOf, toastCauses } from './toast-causes.ts'
import { sourcesIn } from '../testing/sources.ts'
import { closeAccountToasts, closeToastsOf, toast, toastProblem } from './toasts.tsx'
import type { ShownToast } from './toasts.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.advanceTimersByTime(60_000)
  closeAccountToasts()
  vi.useRealTimers()
})

const problem = (code: ProblemCode, more: Partial<Problem> = {}): Problem => ({
  code,
  what: 'Not saved: the price went up.',
  effect: 'Nothing was charged.',
  next: 'Raise the limit.',
  status: 409,
  requestId: 'req_1',
  retryAfterMs: null,
  ...more,
})

/** The toasts on screen, as their cards show them. */
const shown = () =>
  notificationsStore.getState().notifications.map(({ message, autoClose }) => {
    const { toast: card } = (message as { props: { toast: ShownToast } }).props
    return { title: card.title, text: card.text, autoClose }
  })
const titles = () => shown().map(({ title }) => title)

it('begins the title of a problem with the name of its record', () => {
  toastProblem(problem('PRICE_CHANGED'), 'Cinderkeep (Steam · Global)')
  expect(shown()).toEqual([
    {
      title: 'Cinderkeep (Steam · Global): Not saved: the price went up',
      text: 'Nothing was charged. Raise the limit.',
      autoClose: false,
    },
  ])
})

it('collapses the same problem of several records into one toast that names them', () => {
  for (const record of ['Ardtide', 'Brume', 'Ardtide', 'Cinderkeep', 'Dunmere', 'Ember'])
    toastProblem(problem('PRICE_CHANGED'), record)
  expect(titles()).toEqual(['Ardtide, Brume, Cinderkeep and 2 more: Not saved: the price went up'])
  toastProblem(problem('PRICE_CHANGED'), null)
  expect(titles()).toHaveLength(1)
})

it('starts with new names after the toast was closed', () => {
  toastProblem(problem('PRICE_CHANGED'), 'Ardtide')
  vi.advanceTimersByTime(2000)
  closeAccountToasts()
  toastProblem(problem('PRICE_CHANGED'), 'Brume')
  expect(titles()).toEqual(['Brume: Not saved: the price went up'])
})

it.each(toastCauses)('closes the toasts that report “%s” when it ends, and no others', (cause) => {
  const code = problemCodes.find((each) => causeOf({ code: each }) === cause)
  expect(code).toBeDefined()
  toastProblem(problem(code ?? 'CONFLICT', { what: 'It is over.' }), null)
  toastProblem(problem('PRICE_CHANGED'), 'Ardtide')
  vi.advanceTimersByTime(6000)
  for (const other of toastCauses.filter((each) => each !== cause)) closeToastsOf(other)
  vi.advanceTimersByTime(0)
  expect(titles()).toContain('It is over')
  closeToastsOf(cause)
  vi.advanceTimersByTime(0)
  expect(titles()).toEqual(['Ardtide: Not saved: the price went up'])
})

it('leaves a toast long enough to be read when its cause ends right away', () => {
  toastProblem(problem('OFFLINE', { what: 'It is over.' }), null)
  closeToastsOf('offline')
  vi.advanceTimersByTime(4999)
  expect(titles()).toEqual(['It is over'])
  vi.advanceTimersByTime(1)
  expect(titles()).toEqual([])
})

it('does not close a later toast for an earlier end of its cause', () => {
  toastProblem(problem('OFFLINE', { what: 'It is over.' }), 'Ardtide')
  closeToastsOf('offline')
  vi.advanceTimersByTime(1000)
  toastProblem(problem('OFFLINE', { what: 'It is over.' }), 'Brume')
  vi.advanceTimersByTime(10_000)
  expect(titles()).toEqual(['Ardtide, Brume: It is over'])
})

it('keeps a lost response on screen whatever happens later', () => {
  expect(causeOf({ code: 'ANSWER_LOST' })).toBeNull()
  expect(causeOf({ code: 'NO_ANSWER' })).toBeNull()
})

it('ends a toast about too many requests after the wait that the service asked for', () => {
  toastProblem(problem('RATE_LIMITED', { retryAfterMs: 12_000 }), 'Ardtide')
  expect(shown()[0]?.autoClose).toBe(12_000)
})

it('replaces toasts of a group and counts them', () => {
  const group = { key: 'prices', many: (count: number) => `${count} prices changed` }
  toast({ title: 'Ardtide: 4.00 to 4.10', group })
  toast({ title: 'Brume: 5.00 to 5.10', group })
  expect(shown()).toMatchObject([
    { title: '2 prices changed', text: 'Last: Brume: 5.00 to 5.10', autoClose: 5000 },
  ])
})

/** The sources of the toasts, from the beginning of the call to the end of its content. */
const toastSources = sourcesIn('src/renderer').flatMap(({ name, text }) =>
  [...text.matchAll(/(?:\btoast\(|Toast = )\{(?<content>[^\n]*(?=\}\))|[\s\S]*?\n\s*(?=\}))/g)].map(
    ({ groups }) => ({ name, content: groups?.['content'] ?? '' }),
  ),
)

it('says of every toast about the connection or the vault that it ends with it', () => {
  expect(toastSources.length).toBeGreaterThan(40)
  const states = toastSources.filter(({ content }) =>
    /connection is back|need a connection|vault stays locked|'Vault locked'/.test(content),
  )
  expect(states.length).toBeGreaterThan(4)
  expect(states.filter(({ content }) => !/\bcause: '(?:offline|vault)'/.test(content))).toEqual([])
})

it('collapses the toasts of changes that a person makes one after another', () => {
  const repeated = toastSources.filter(({ content }) =>
    /\bqueuedToast\b|Offer created|\bis active\b|You receive this per key/.test(content),
  )
  expect(repeated.length).toBeGreaterThan(3)
  expect(repeated.filter(({ content }) => !/\bgroup: \{/.test(content))).toEqual([])
})
