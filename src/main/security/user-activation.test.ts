import { expect, test } from 'vitest'
import { createUserActivation } from './user-activation.ts'

function activation() {
  let now = 0
  const opened: string[] = []
  const { report, use } = createUserActivation(() => now)
  return {
    opened,
    report,
    open: (url: string) => use(() => opened.push(url)),
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('opens no link without an action of a person', () => {
  const { opened, open, pass, report } = activation()
  open('https://a.example')
  pass(501)
  report()
  expect(opened).toEqual([])
})

test('opens one link per action, for five seconds', () => {
  const { opened, open, pass, report } = activation()
  report()
  pass(5000)
  open('https://a.example')
  open('https://b.example')
  expect(opened).toEqual(['https://a.example'])
  pass(1000)
  report()
  pass(5001)
  open('https://c.example')
  expect(opened).toEqual(['https://a.example'])
})

test('opens a link whose click is reported after it', () => {
  const { opened, open, pass, report } = activation()
  open('https://a.example')
  pass(500)
  report()
  expect(opened).toEqual(['https://a.example'])
  open('https://b.example')
  expect(opened).toEqual(['https://a.example'])
})
