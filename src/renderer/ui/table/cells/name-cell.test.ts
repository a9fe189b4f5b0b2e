import { expect, test } from 'vitest'
import { nameClass } from './name-cell.tsx'

test('clips a name unless it surely fits, and always clips it next to a tag', () => {
  const free = nameClass({ name: 'Tide', detail: 'Steam · Global' }, 400)
  const gives = nameClass({ name: 'W'.repeat(40), detail: 'Steam · Global' }, 400)
  expect(gives).not.toBe(free)
  expect(nameClass({ name: '夜'.repeat(20), detail: 'Steam · Global' }, 400)).toBe(gives)
  expect(nameClass({ name: '夜'.repeat(19), detail: 'Steam · Global' }, 400)).toBe(free)
  expect(nameClass({ name: 'Tide', detail: 'Steam · Global', after: 'Refused' }, 400)).toBe(gives)
})
